/* SPDX-License-Identifier: MIT */
/** @file
 *  Sampling: what the checker leaves out of huge launches and allocations.
 *  The report says so.
 *
 *  Of a launch with more than SOFTGPU_CHECK_THREADS threads (2^22), every k-th
 *  block is checked; k depends on the launch alone.  In the other blocks
 *  addresses and reads of uninitialized device memory are checked, but not
 *  races and not uninitialized shared memory.
 */
#ifndef SOFTGPU_WATCH_SAMPLING_H
#define SOFTGPU_WATCH_SAMPLING_H

#include <stdio.h>

#include "common/softgpu/core/block.h"

/** A grid begins: choose the blocks. */
void sampling_begin_grid(const struct run *run);
/** It goes on after grids that a thread of it has waited for. */
void sampling_resume_grid(const struct run *run);
/** Is this block of the grid among them?
 *  @param block  linear index */
int sampling_includes(uint64_t block);
/** Count an allocation that is too large for shadow cells. */
void sampling_skip_allocation(size_t bytes);

/** Print what was left out; nothing when nothing was. */
void sampling_print(FILE *out);

struct json_t;
/** The field `sampled` of the report: a new object. */
struct json_t *sampling_json(void);

#endif
