/* SPDX-License-Identifier: MIT */
/** @file
 *  Functions of a 16-bit float and of pairs, cache hints and named constants;
 *  included once for each type, see small/type.h, after small/arithmetic.h.
 *  The float function's result, rounded.
 */
/** @cond: hexp(one), h2exp(pair) and so on */

#define SOFTGPU_FUNCTION(name, expr)                                      \
    SOFTGPU_FN SOFTGPU_T h##name(SOFTGPU_T a)                             \
    {                                                                     \
        float x = a;                                                      \
        return expr;                                                      \
    }                                                                     \
    SOFTGPU_PAIR1(h2##name, h##name)
SOFTGPU_FUNCTION(ceil, ceilf(x))
SOFTGPU_FUNCTION(floor, floorf(x))
SOFTGPU_FUNCTION(trunc, truncf(x))
SOFTGPU_FUNCTION(rint, rintf(x))
SOFTGPU_FUNCTION(sqrt, sqrtf(x))
SOFTGPU_FUNCTION(rsqrt, 1.0 / ::sqrt((double)x))
SOFTGPU_FUNCTION(rcp, 1.0 / (double)x)
SOFTGPU_FUNCTION(exp, expf(x))
SOFTGPU_FUNCTION(exp2, exp2f(x))
SOFTGPU_FUNCTION(exp10, exp10f(x))
SOFTGPU_FUNCTION(log, logf(x))
SOFTGPU_FUNCTION(log2, log2f(x))
SOFTGPU_FUNCTION(log10, log10f(x))
SOFTGPU_FUNCTION(sin, sinf(x))
SOFTGPU_FUNCTION(cos, cosf(x))
SOFTGPU_FUNCTION(tanh, tanhf(x))
SOFTGPU_FUNCTION(tanh_approx, tanhf(x))
#undef SOFTGPU_FUNCTION
#undef SOFTGPU_PAIR3
#undef SOFTGPU_PAIR2
#undef SOFTGPU_PAIR1
#undef SOFTGPU_3
#undef SOFTGPU_2
#undef SOFTGPU_1

SOFTGPU_CACHED(SOFTGPU_T)
SOFTGPU_CACHED(SOFTGPU_T2)
/** @endcond */
