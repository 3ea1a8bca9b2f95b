/* SPDX-License-Identifier: MIT */
/** @file
 *  Theoretical occupancy of a profiled kernel.
 */
#ifndef SOFTGPU_PROFILE_OCCUPANCY_H
#define SOFTGPU_PROFILE_OCCUPANCY_H

#include "profile.h"

/** Resources that one block of the kernel's largest launch needs. */
struct softgpu_block_resources kernel_block_needs(
    const struct kernel_profile *k);

/** Compute the occupancy of a kernel from its block size, registers and shared
 *  memory.
 *
 *  @param[in]     card  the GPU
 *  @param[in,out] k     occupancy and occupancy_limit are written
 *  @return resident blocks per SM; at least 1, since the kernel ran */
int model_occupancy(const struct softgpu_card *card,
                    struct kernel_profile *k);

#endif
