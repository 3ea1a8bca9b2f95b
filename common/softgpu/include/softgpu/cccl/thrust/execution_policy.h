/* SPDX-License-Identifier: MIT */
/** @file
 *  NVIDIA's header of the same name, and thrust::cuda::par: on a card the
 *  header has it, for the device system is CUDA's there.
 */
#pragma once

#include_next <thrust/execution_policy.h>

#include <thrust/system/cuda/execution_policy.h>
