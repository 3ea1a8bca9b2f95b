/* SPDX-License-Identifier: MIT */
/** @file
 *  A header of CUDA that old programs include by name; cuda_runtime.h has all
 *  of it.
 */
#ifndef SOFTGPU_SM_35_INTRINSICS_H
#define SOFTGPU_SM_35_INTRINSICS_H

#include "cuda_runtime.h"

#endif
