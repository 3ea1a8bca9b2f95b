/* SPDX-License-Identifier: MIT */
/** @file
 *  The profile of the whole program, made when it ends.
 */
#ifndef SOFTGPU_KERNELS_H
#define SOFTGPU_KERNELS_H

#include "profile.h"

/** Make the profile of each kernel that was launched.
 *  @param[out] count  how many
 *  @return a new array that lives to the program's end; NULL without memory */
struct kernel_profile *profile_kernels(size_t *count);

struct kernel_record;
/** Make the profile of one kernel from its launches so far. */
void profile_kernel(const struct kernel_record *r, struct kernel_profile *k);
/** Free what that made. */
void profile_kernel_free(struct kernel_profile *k);

#endif
