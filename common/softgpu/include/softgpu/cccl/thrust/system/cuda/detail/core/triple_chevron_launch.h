/* SPDX-License-Identifier: MIT */
/** @file
 *  NVIDIA's header of the same name, after the policies.  They name
 *  thrust::detail as `detail` in a namespace in which this header declares
 *  another one.  On a card the policies come first, for the device system is
 *  CUDA's there.
 */
#pragma once

#include <thrust/system/cuda/detail/execution_policy.h>

#include_next <thrust/system/cuda/detail/core/triple_chevron_launch.h>
