/* SPDX-License-Identifier: MIT */
/** @file
 *  A header of older CUDA versions; includes cuda_runtime.h.
 */
#ifndef SOFTGPU_DEVICE_FUNCTIONS_H
#define SOFTGPU_DEVICE_FUNCTIONS_H

#include "cuda_runtime.h"

#endif
