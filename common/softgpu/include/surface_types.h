/* SPDX-License-Identifier: MIT */
/** @file
 *  Textures and surfaces: a header of CUDA; includes cuda_runtime.h.
 */
#include "cuda_runtime.h"
