/* SPDX-License-Identifier: MIT */
/** @file
 *  Grids with sparse memory (SOFTGPU_SPARSE): only the blocks at their ends
 *  run, one after the other.
 *
 *  A block that takes a ticket, the next number of a counter, would take that
 *  of a block that does not run: the host side advances such counters before
 *  each block.  A block that waits for one that does not run is abandoned.
 */
#ifndef SOFTGPU_GRID_ENDS_H
#define SOFTGPU_GRID_ENDS_H

#include "block.h"

/** Blocks that run: the first two, one at 15/16 of the grid, since the last may
 *  be past the end of the data as a whole, and the last. */
enum { SOFTGPU_GRID_ENDS = 4 };

/** Linear index of the block that runs as number `claim`. */
uint64_t softgpu_end_index(const struct run *run, uint64_t claim);
/** Run these blocks. */
void softgpu_run_ends(struct run *run, struct worker *w);
/** Does the worker's only block wait for something that never comes?  Its
 *  threads have yielded for a while, and accessed no new page.  (A block that
 *  works may access no new page, either: those of the block before it.) */
bool softgpu_end_waits(const struct worker *w);

#endif
