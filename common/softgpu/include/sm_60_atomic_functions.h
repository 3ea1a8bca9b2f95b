/* SPDX-License-Identifier: MIT */
/** @file
 *  A header of older CUDA versions; includes cuda_runtime.h.
 */
#ifndef SOFTGPU_SM_60_ATOMIC_FUNCTIONS_H
#define SOFTGPU_SM_60_ATOMIC_FUNCTIONS_H

#include "cuda_runtime.h"

#endif
