/* SPDX-License-Identifier: MIT */
/** @file
 *  cudaProfilerStart and cudaProfilerStop, under the name CUDA has for them.
 */
#include "cuda_runtime_api.h"
