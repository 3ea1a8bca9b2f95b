/* SPDX-License-Identifier: MIT */
/** @file
 *  CUDA's fast float intrinsics.  A card trades accuracy for speed; here the
 *  result is accurate, within the error bounds of the card.
 */
#ifndef SOFTGPU_FAST_MATH_H
#define SOFTGPU_FAST_MATH_H

#include <math.h>

#include "inline.h"

/** @cond: __sinf(x) is sinf(x) and so on */
#define SOFTGPU_FAST(name, expr) \
    SOFTGPU_FN float name(float x) { return expr; }
SOFTGPU_FAST(__sinf, sinf(x))
SOFTGPU_FAST(__cosf, cosf(x))
SOFTGPU_FAST(__tanf, tanf(x))
SOFTGPU_FAST(__tanhf, tanhf(x))
SOFTGPU_FAST(__expf, expf(x))
SOFTGPU_FAST(__exp10f, exp10f(x))
SOFTGPU_FAST(__logf, logf(x))
SOFTGPU_FAST(__log2f, log2f(x))
SOFTGPU_FAST(__log10f, log10f(x))
#undef SOFTGPU_FAST
/** @endcond */

/** x to the power of y. */
SOFTGPU_FN float __powf(float x, float y) { return powf(x, y); }
/** Sine and cosine of x. */
SOFTGPU_FN void __sincosf(float x, float *sine, float *cosine)
{
    sincosf(x, sine, cosine);
}
/** x / y. */
SOFTGPU_FN float __fdividef(float x, float y) { return x / y; }
/** x / y. */
SOFTGPU_FN float fdividef(float x, float y) { return x / y; }
/** x / y. */
SOFTGPU_FN double fdivide(double x, double y) { return x / y; }
/** x clamped to [0, 1]; 0 for NaN. */
SOFTGPU_FN float __saturatef(float x)
{
    return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f;
}

#endif
