/* SPDX-License-Identifier: MIT */
/** @file
 *  Functions of kernels except for warp functions and atomics: C's <math.h>
 *  with CUDA's additions, intrinsics, conversions, cache hints.  All work in
 *  host code, too.  In C only C's own headers are included.
 */
#ifndef SOFTGPU_MATH_H
#define SOFTGPU_MATH_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
#include "arithmetic.h"
#include "cache.h"
#include "convert.h"
#include "dot_product.h"
#include "dpx.h"
#include "fast_math.h"
#include "hints.h"
#include "integer.h"
#include "cuda_math.h"
#include "minmax.h"
#include "simd_in_word.h"
#endif

#endif
