/* SPDX-License-Identifier: MIT */
/** @file
 *  Why a launch is refused, in words.  CUDA tells a code, and one code serves
 *  for many reasons: with SOFTGPU_EXPLAIN set, as the grader does, a line on
 *  stderr tells which.
 */
#ifndef SOFTGPU_REFUSAL_H
#define SOFTGPU_REFUSAL_H

#include "work.h"

/** The shape is one that no card takes; silent if it is not. */
void softgpu_explain_shape(dim3 grid, dim3 block);
/** The kernel is not launched with this shape and memory, because of `error`;
 *  silent where the error's own text says it all. */
void softgpu_explain_launch(const struct softgpu_kernel_work *k,
                            cudaError_t error);

#endif
