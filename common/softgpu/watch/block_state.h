/* SPDX-License-Identifier: MIT */
/** @file
 *  The checker's state of a resident block (struct watch_block).
 */
#ifndef SOFTGPU_WATCH_BLOCK_STATE_H
#define SOFTGPU_WATCH_BLOCK_STATE_H

#include "watch.h"

/** A block begins: reset the state in its place, or make it.  Ends the
 *  program when there is no memory for it. */
void watch_block_begin(struct softgpu_block *block);
/** All threads of the block have returned. */
void watch_block_end(struct softgpu_block *block);

#endif
