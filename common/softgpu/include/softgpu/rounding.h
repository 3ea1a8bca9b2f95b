/* SPDX-License-Identifier: MIT */
/** @file
 *  One operation in one of the four rounding modes of IEEE 754.
 *
 *  The rounding mode of the processor is changed for this operation only.
 *  Operands and result pass through empty asm statements, so that the compiler
 *  can neither move the operation nor evaluate it at compile time; and a
 *  function of its own keeps the program's other operations out of the mode:
 *  clang moves an addition between two asm statements that it does not use.
 */
#ifndef SOFTGPU_ROUNDING_H
#define SOFTGPU_ROUNDING_H

#ifndef __x86_64__
#include <fenv.h>
#endif

#include "inline.h"

namespace softgpu {

/** @cond: the constraint of float registers, and the control register */
#ifdef __x86_64__
#define SOFTGPU_FLOATS "x"
/* Bits 13 and 14 of MXCSR. */
enum rounding { NEAREST = 0, DOWN = 0x2000, UP = 0x4000, TO_ZERO = 0x6000 };
SOFTGPU_FN unsigned int set_rounding_mode(rounding mode)
{
    unsigned int before, during;
    __asm__ volatile("stmxcsr %0" : "=m"(before));
    during = (before & ~0x6000u) | mode;
    __asm__ volatile("ldmxcsr %0" : : "m"(during));
    return before;
}
SOFTGPU_FN void restore_rounding_mode(unsigned int before)
{
    __asm__ volatile("ldmxcsr %0" : : "m"(before));
}
#else
#define SOFTGPU_FLOATS "w"
enum rounding {
    NEAREST = FE_TONEAREST,
    DOWN = FE_DOWNWARD,
    UP = FE_UPWARD,
    TO_ZERO = FE_TOWARDZERO
};
SOFTGPU_FN int set_rounding_mode(rounding mode)
{
    int before = fegetround();
    fesetround(mode);
    return before;
}
SOFTGPU_FN void restore_rounding_mode(int before) { fesetround(before); }
#endif
/** @endcond */

/** Hide the value from the optimizer. */
SOFTGPU_FN void optimization_barrier(float &x)
{
    __asm__ volatile("" : "+" SOFTGPU_FLOATS(x));
}
/** The same for another type. */
SOFTGPU_FN void optimization_barrier(double &x)
{
    __asm__ volatile("" : "+" SOFTGPU_FLOATS(x));
}
/** The same for an integer. */
template <typename T> SOFTGPU_FN auto optimization_barrier(T &x)
{
    __asm__ volatile("" : "+r"(x));
}

/** op(x...) under a mode that is not NEAREST. */
template <rounding mode, typename F, typename... T>
static __attribute__((noinline)) auto rounded_apart(F op, T... x)
{
    auto before = set_rounding_mode(mode);
    (optimization_barrier(x), ...);
    auto result = op(x...);
    optimization_barrier(result);
    restore_rounding_mode(before);
    return result;
}

/** op(x...) under the given mode; host and device.
 *  @param op  one operation on its parameters, returns float or double */
template <rounding mode, typename F, typename... T>
SOFTGPU_FN auto rounded(F op, T... x)
{
    if (mode == NEAREST)
        return op(x...);
    return rounded_apart<mode>(op, x...);
}

/* The functions below are never contracted to a fused multiply-add, which g++
 * does by default.                                                          */

/** Prevent the fusion of a product with the sum that it is an operand of. */
template <typename T> SOFTGPU_FN auto unfused(T x)
{
#if defined __FMA__ && !defined __clang__
    optimization_barrier(x);
#endif
    return x;
}

/** @cond: the root and the fused multiply-add for either type */
SOFTGPU_FN float square_root(float x) { return __builtin_sqrtf(x); }
SOFTGPU_FN double square_root(double x) { return __builtin_sqrt(x); }
SOFTGPU_FN float fused_multiply_add(float a, float b, float c)
{
    return __builtin_fmaf(a, b, c);
}
SOFTGPU_FN double fused_multiply_add(double a, double b, double c)
{
    return __builtin_fma(a, b, c);
}
/** @endcond */

/** a * b without contraction: as a multiply-add of -0 it still vectorizes.
 *  Only to nearest: rounding down, +0 + -0 would be -0. */
template <rounding mode, typename T> SOFTGPU_FN auto unfused_product(T a, T b)
{
#if defined __FMA__ && !defined __clang__
    if (mode == NEAREST)
        return fused_multiply_add(a, b, T(-0.0));
#endif
    return a * b;
}

} // namespace softgpu

#endif
