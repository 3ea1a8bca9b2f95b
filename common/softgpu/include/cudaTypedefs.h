/* SPDX-License-Identifier: MIT */
/** @file
 *  Types of pointers to the driver API's calls: PFN_cuMemAlloc ...  Those with
 *  a version in their name (PFN_cuMemAlloc_v3020) are not there.
 */
#ifndef SOFTGPU_CUDA_TYPEDEFS_H
#define SOFTGPU_CUDA_TYPEDEFS_H

#include "cuda.h"
#include "softgpu/driver/entry_points.h"

/** @cond one for each call */
#define SOFTGPU_POINTER(name) typedef __typeof__(name) *PFN_##name;
SOFTGPU_DRIVER_CALLS(SOFTGPU_POINTER)
#undef SOFTGPU_POINTER
/** @endcond */

#endif
