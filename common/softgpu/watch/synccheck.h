/* SPDX-License-Identifier: MIT */
/** @file
 *  Synccheck: barriers and warp functions that not all threads reach.
 */
#ifndef SOFTGPU_WATCH_SYNCCHECK_H
#define SOFTGPU_WATCH_SYNCCHECK_H

#include "watch.h"

/** A barrier of the running block is about to open: report threads that wait
 *  at another one, and threads that returned without reaching it.  Begins a
 *  new interval.
 *  @param site  return address of the last call; NULL: a thread returned */
void synccheck_barrier(struct softgpu_block *block, const void *site);

/** The threads of a block have all arrived at the barrier of the grid: what
 *  they did before, in shared memory too, precedes what they do after it. */
void synccheck_grid_barrier(struct softgpu_block *block);

/** The running thread is past all barriers of its kernel. */
void synccheck_kernel_end(const void *site);

/** A warp function of the running warp is complete: report lanes in another
 *  call, and lanes of the mask that skipped it.
 *  @param mask     lanes that the calls name
 *  @param arrived  lanes of the mask that called; the others returned */
void synccheck_warp_call(uint32_t mask, uint32_t arrived);

/** A kernel ended with an error: report it, with the place of a deadlock.
 *  @param error  cudaError_t */
void synccheck_kernel_failed(const struct run *run, const struct fault *fault,
                             int error);

/** Did a kernel end with an error? */
int synccheck_any_failed(void);

#endif
