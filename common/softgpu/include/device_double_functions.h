/* SPDX-License-Identifier: MIT */
/** @file
 *  A header of older CUDA versions; includes cuda_runtime.h.
 */
#include "cuda_runtime.h"
