/* SPDX-License-Identifier: MIT */
/** @file
 *  Messages about failed launches.  One CUDA error code has many possible
 *  causes: if SOFTGPU_EXPLAIN is set, as by the grader, a line on stderr tells
 *  the cause.
 */
#ifndef SOFTGPU_LAUNCH_ERROR_H
#define SOFTGPU_LAUNCH_ERROR_H

#include "command.h"

/** Explain grid and block dimensions beyond CUDA's limits; prints nothing for
 *  valid ones. */
void softgpu_explain_launch_config(dim3 grid, dim3 block);
/** If so asked: print that a kernel was called without <<<...>>>. */
void softgpu_explain_call(const struct softgpu_kernel *kernel);
/** Explain why a launch failed with `error`; prints nothing where CUDA's own
 *  text of the error suffices. */
void softgpu_explain_launch(const struct softgpu_kernel_command *k,
                            cudaError_t error);

#endif
