/* SPDX-License-Identifier: MIT */
/** @file
 *  NVIDIA's header of the same name, and thrust::device, host and seq: on a
 *  card it includes them, through the sort of CUDA's system, and programs rely
 *  on that.
 */
#pragma once

#include_next <thrust/sort.h>

#include <thrust/execution_policy.h>
