/* SPDX-License-Identifier: MIT */
/** @file
 *  Everything a kernel may call that is neither of the warp nor atomic: C's
 *  math with CUDA's additions, intrinsics, conversions, cache hints.  All of
 *  it works in host code too.  C sees only C's own <math.h>.
 */
#ifndef SOFTGPU_MATH_H
#define SOFTGPU_MATH_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#endif
