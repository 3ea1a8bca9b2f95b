/* SPDX-License-Identifier: MIT */
/** @file
 *  Everything a kernel may call that is neither of the warp nor atomic: C's
 *  math with CUDA's additions, intrinsics, conversions, cache hints.  All of
 *  it works in host code too.  C sees only C's own headers.
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
#include "dot.h"
#include "dpx.h"
#include "fast.h"
#include "hints.h"
#include "int.h"
#include "math_more.h"
#include "minmax.h"
#include "simd.h"
#endif

#endif
