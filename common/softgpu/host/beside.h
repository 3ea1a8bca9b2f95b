/* SPDX-License-Identifier: MIT */
/** @file
 *  Commands that run while others do: what each may run beside.
 */
#ifndef SOFTGPU_BESIDE_H
#define SOFTGPU_BESIDE_H

#include "stream.h"

/** Can the command run beside those that run?  Another kernel, or a graph, only
 *  while all kernels that run wait. */
int softgpu_can_run_beside(const struct softgpu_command *command);

#endif
