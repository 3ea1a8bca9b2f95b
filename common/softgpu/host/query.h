/* SPDX-License-Identifier: MIT */
/** @file
 *  Queries: cudaStreamQuery() and cudaEventQuery() run one command, so that a
 *  program which polls them makes progress, in the same order in each run.  An
 *  OS thread of the runtime runs it: the kernel may wait for a value in mapped
 *  memory that the host thread stores after the query.
 */
#ifndef SOFTGPU_QUERY_H
#define SOFTGPU_QUERY_H

#include "stream.h"

/** Run one command towards a position, and wait until it has ended, its kernel
 *  only waits, or it takes long.  The lock is held, and released meanwhile. */
void softgpu_query_run(struct softgpu_stream_position position);
/** In a forked child: no query is under way. */
void softgpu_query_after_fork(void);

#endif
