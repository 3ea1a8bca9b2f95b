/* SPDX-License-Identifier: MIT */
/** @file
 *  What the calls of the host process tell the device: kernels and their
 *  arguments, shapes, places, sizes, values of fills, graphs.
 */
#ifndef GRADER_RUNNER_SOFT_CALL_CHOICES_H
#define GRADER_RUNNER_SOFT_CALL_CHOICES_H

#include "call_copies.h"
#include "common/softgpu/core/core.h"

/** Count what a call tells, after its pointers were replaced. */
void count_call(const struct call *call);
/** Number the handles that a call has given out: that number is what a call
 *  with them tells. */
void count_given(const struct call *call);
/** Count what a query of a stream or event tells, if it has run a command.
 *  @param result  of the call */
void count_query(const struct call *call, uint32_t result);
/** The next call of the lab numbers its own, and has no callers yet. */
void forget_given(void);
/** Threads of the host that have made calls since which can tell something. */
unsigned calling_threads(void);
/** Count the arguments of a kernel.
 *  @param args  addresses of copies of them */
void count_kernel_arguments(const struct softgpu_kernel *k,
                            void *const *args);

#endif
