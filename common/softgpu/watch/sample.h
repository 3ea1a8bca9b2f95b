/* SPDX-License-Identifier: MIT */
/** @file
 *  What is left out because it would be too much: blocks of huge launches,
 *  huge allocations.  The report says so.
 *
 *  A launch of more threads than SOFTGPU_CHECK_THREADS (2^22) is watched in
 *  every k-th block only.  Which ones depends on the launch alone.  In the
 *  others addresses are checked, but neither races nor unwritten memory.
 */
#ifndef SOFTGPU_WATCH_SAMPLE_H
#define SOFTGPU_WATCH_SAMPLE_H

#include <stdio.h>

#include "../core/block.h"

/** A grid begins: choose its blocks. */
void sample_begin_grid(const struct run *run);
/** Is this block of the grid watched whole? */
int sample_has(uint64_t block);
/** An allocation is too large for a record of each word. */
void sample_left_out(size_t bytes);

/** Say what was left out; nothing when nothing was. */
void sample_text(FILE *out);

#endif
