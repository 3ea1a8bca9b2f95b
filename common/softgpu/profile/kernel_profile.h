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

/** Count and model one launch.
 *  @param[in]  one  a record of this launch alone
 *  @param[out] k    without access patterns; to be freed by
 *                   profile_kernel_free() */
void profile_launch(const struct kernel_record *one, struct kernel_profile *k);
/** Free what profile_launch() allocated. */
void profile_kernel_free(struct kernel_profile *k);

#endif
