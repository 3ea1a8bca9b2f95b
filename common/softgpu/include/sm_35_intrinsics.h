/* SPDX-License-Identifier: MIT */
/** @file
 *  A header of older CUDA versions; includes cuda_runtime.h.
 */
#ifndef SOFTGPU_SM_35_INTRINSICS_H
#define SOFTGPU_SM_35_INTRINSICS_H

#include "cuda_runtime.h"

#endif
