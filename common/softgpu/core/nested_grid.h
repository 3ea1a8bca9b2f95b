/* SPDX-License-Identifier: MIT */
/** @file
 *  Grids that run while a thread of a kernel waits for them: what run_grid.c
 *  asks softgpu_run_nested() for.
 */
#ifndef SOFTGPU_NESTED_GRID_H
#define SOFTGPU_NESTED_GRID_H

#include "block.h"

/** The run for the next grid of this OS thread, inside softgpu_run_nested().
 *  @param[out] worker  runs its blocks
 *  @return NULL outside */
struct run *softgpu_nested_run(struct worker **worker);
/** Must a grid of this kernel run on the calling OS thread alone?  Either its
 *  threads may wait, or the others run the grid that waits for it. */
bool softgpu_nesting_runs_alone(const struct softgpu_kernel *kernel);
/** In the child of a fork(): no other OS thread waits for grids. */
void softgpu_nesting_after_fork(void);

#endif
