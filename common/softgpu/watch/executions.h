/* SPDX-License-Identifier: MIT */
/** @file
 *  How often each thread of the last launch executed each basic block, for
 *  comparing threads: with SOFTGPU_EXECUTIONS=1, of launches of up to
 *  EXECUTIONS_THREADS threads, in programs that are compiled with
 *  -fsanitize-coverage=trace-pc.
 */
#ifndef SOFTGPU_WATCH_EXECUTIONS_H
#define SOFTGPU_WATCH_EXECUTIONS_H

#include "common/softgpu/core/source_line.h"
#include "watch.h"

enum {
    EXECUTIONS_SITES = 256, /**< basic blocks; further ones are not counted */
    EXECUTIONS_THREADS = 1 << 16
};

/** Of each basic block; UINT16_MAX: so often or more. */
typedef uint16_t executions[EXECUTIONS_SITES];

/** Read the setting. */
void executions_init(void);
/** A launch begins: its threads have executed nothing. */
void executions_begin_grid(const struct run *run);
/** The running thread enters a basic block (instrument/tool.h). */
void executions_count(uintptr_t pc, uintptr_t frame);

/** What a thread has executed.
 *  @param tag     the launch has made records with tags from its first one on
 *                 (happens_before.h); of an earlier launch nothing is known
 *  @param block   linear index in the grid
 *  @param thread  linear index in its block
 *  @return NULL when not known */
const uint16_t *softgpu_executions_of(uint32_t tag, uint32_t block,
                                      uint32_t thread);
/** Threads of a block of the last launch. */
uint32_t softgpu_executions_block_threads(void);
/** The source line of a basic block.
 *  @param[out] line  always written; line 0 when there is no such block */
void softgpu_executions_line(unsigned site, struct source_line *line);

#endif
