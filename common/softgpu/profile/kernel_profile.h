/* SPDX-License-Identifier: MIT */
/** @file
 *  Makes the profiles of kernels from their records.
 */
#ifndef SOFTGPU_KERNEL_PROFILE_H
#define SOFTGPU_KERNEL_PROFILE_H

#include "profile.h"

struct kernel_record;

/** Make the profiles of all kernels that were launched.
 *  @param[out] count  of kernels
 *  @return a new array, in the order of first launch, that is never freed;
 *          NULL without memory */
struct kernel_profile *profile_all_kernels(size_t *count);

/** Make the profile of one kernel from its launches so far.
 *  @param[in]  r  its record
 *  @param[out] k  to be freed by profile_kernel_free() */
void profile_kernel(const struct kernel_record *r, struct kernel_profile *k);
/** Free what profile_kernel() allocated. */
void profile_kernel_free(struct kernel_profile *k);

#endif
