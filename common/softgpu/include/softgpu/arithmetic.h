/* SPDX-License-Identifier: MIT */
/** @file
 *  CUDA's arithmetic intrinsics with a rounding mode, for float and double:
 *  __fadd_rn() ... __frcp_rd(), __dadd_rn() ... __drcp_rd().
 *
 *  Each is exact, rounded once, subnormal numbers included, and is never fused
 *  with a neighbor.
 */
#ifndef SOFTGPU_ARITHMETIC_H
#define SOFTGPU_ARITHMETIC_H

#include "rounding.h"

/** @cond: documented above */
#define SOFTGPU_BINARY(name, mode, T, expr)                                  \
    SOFTGPU_FN T name(T x, T y)                                              \
    {                                                                        \
        return softgpu::rounded<mode>([](T a, T b) { return expr; }, x, y);  \
    }
#define SOFTGPU_UNARY(name, mode, T, expr)                                \
    SOFTGPU_FN T name(T x)                                                \
    {                                                                     \
        return softgpu::rounded<mode>([](T a) { return expr; }, x);       \
    }
#define SOFTGPU_TERNARY(name, mode, T)                                         \
    SOFTGPU_FN T name(T x, T y, T z)                                           \
    {                                                                          \
        return softgpu::rounded<mode>(                                         \
            [](T a, T b, T c) {                                                \
                return softgpu::fused_multiply_add(a, b, c);                   \
            },                                                                 \
            x, y, z);                                                          \
    }
#define SOFTGPU_ARITHMETIC(p, s, mode, T)                                      \
    SOFTGPU_BINARY(__##p##add_##s, mode, T,                                    \
                   softgpu::unfused(a) + softgpu::unfused(b))                  \
    SOFTGPU_BINARY(__##p##sub_##s, mode, T,                                    \
                   softgpu::unfused(a) - softgpu::unfused(b))                  \
    SOFTGPU_BINARY(__##p##mul_##s, mode, T,                                    \
                   softgpu::unfused_product<mode>(a, b))                       \
    SOFTGPU_BINARY(__##p##div_##s, mode, T, a / b)                             \
    SOFTGPU_UNARY(__##p##sqrt_##s, mode, T, softgpu::square_root(a))           \
    SOFTGPU_UNARY(__##p##rcp_##s, mode, T, 1 / a)
#define SOFTGPU_ONE_MODE(s, mode)                \
    SOFTGPU_ARITHMETIC(f, s, mode, float)        \
    SOFTGPU_ARITHMETIC(d, s, mode, double)       \
    SOFTGPU_TERNARY(__fmaf_##s, mode, float)     \
    SOFTGPU_TERNARY(__fmaf_ieee_##s, mode, float) \
    SOFTGPU_TERNARY(__fma_##s, mode, double)

SOFTGPU_EACH_ROUNDING(SOFTGPU_ONE_MODE)

#undef SOFTGPU_ONE_MODE
#undef SOFTGPU_ARITHMETIC
#undef SOFTGPU_TERNARY
#undef SOFTGPU_UNARY
#undef SOFTGPU_BINARY
/** @endcond */

/** 1 / sqrt(x), to the nearest float. */
SOFTGPU_FN float __frsqrt_rn(float x)
{
    return (float)(1.0 / __builtin_sqrt((double)x));
}

#endif
