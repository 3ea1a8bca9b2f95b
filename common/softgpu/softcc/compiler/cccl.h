/* SPDX-License-Identifier: MIT */
/** @file
 *  NVIDIA's open headers (CCCL: Thrust, CUB, libcu++), where the user has
 *  installed them.
 */
#ifndef SOFTCC_CCCL_H
#define SOFTCC_CCCL_H

#include <stdbool.h>

#include "common/softgpu/softcc/support/arena.h"

/** Did the preprocessor miss a header of CCCL, and is CCCL installed?  Then its
 *  folder is among those that add_cccl() adds from now on.  It is looked for in
 *  $SOFTCC_CCCL, in CUDA 13's Toolkit and where pip puts nvidia-cuda-cccl.
 *  @param err  the messages
 *  @return true once: preprocess again */
bool find_cccl(const struct buffer *err);

/** Does preprocessed text include a header of CUB? */
bool uses_cub(const struct buffer *text);

/** Add the folder that replaces parts of Thrust, and CCCL's if it was found.
 *  @param include  of the software GPU's headers */
void add_cccl(struct list *argv, const char *include);

#endif
