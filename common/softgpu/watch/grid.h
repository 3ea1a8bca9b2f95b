/* SPDX-License-Identifier: MIT */
/** @file
 *  What the runtime's hooks call (hooks.c holds the table).
 */
#ifndef SOFTGPU_WATCH_GRID_H
#define SOFTGPU_WATCH_GRID_H

#include "watch.h"

/** A block begins: fresh state for it. */
void grid_block_begin(struct softgpu_block *block);
/** All its threads have returned. */
void grid_block_end(struct softgpu_block *block);
/** A barrier is about to open: did all come to the same one? */
void sync_barrier(struct softgpu_block *block, const void *site);
/** A warp call is complete: did all lanes of the mask make it, and the same? */
void sync_warp_call(uint32_t mask, uint32_t arrived);
/** The kernel failed. */
void sync_failed(const struct run *run, const struct fault *fault, int error);
/** Did any?  Then the runtime refuses everything, frees too. */
int sync_any_failed(void);

#endif
