/* SPDX-License-Identifier: MIT */
/** @file
 *  Occupancy of a kernel that was profiled.
 */
#ifndef SOFTGPU_PROFILE_OCCUPANCY_H
#define SOFTGPU_PROFILE_OCCUPANCY_H

#include "profile.h"

/** What one block of the kernel's largest launch needs of an SM. */
struct softgpu_block_needs profile_needs(const struct kernel_profile *k);

/** Fill in occupancy and occupancy_limit from block, registers and shared
 *  memory.  @return blocks that an SM holds, at least 1: the kernel ran */
int profile_occupancy(const struct softgpu_card *card,
                      struct kernel_profile *k);

#endif
