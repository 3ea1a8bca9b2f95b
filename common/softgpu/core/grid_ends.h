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

/** Most blocks that run: the first two and the last; and, since blocks at the
 *  ends may have no element, one at 15/16 of all blocks; at 15/16 of x and of
 *  y, and a little below the half, for a grid that is larger than the data;
 *  three that have the last elements where a thread owns 2, 4 or 8 of them, and
 *  the grid was not divided by that; one at a quarter of y in the last z, which
 *  may be filled in part; the one before the last of each dimension, where
 *  n / 4 threads' work gets a block more for the last n % 4 elements, which may
 *  be none; and the third from the end: the last one may have a single element,
 *  and then the last blocks still have as many as the first two. */
enum { SOFTGPU_GRID_ENDS = 12 };

/** Linear index of the block that runs as number `claim`. */
uint64_t softgpu_end_index(const struct run *run, uint64_t claim);
/** Run these blocks. */
void softgpu_run_ends(struct run *run, struct worker *w);
/** Does the worker's only block wait for something that never comes?  Its
 *  threads have yielded for a while, and accessed no new page.  (A block that
 *  works may access no new page, either: those of the block before it.) */
bool softgpu_end_waits(const struct worker *w);

#endif
