/* SPDX-License-Identifier: MIT */
/** @file
 *  One operation in one of the four rounding modes of IEEE 754.
 *
 *  The trick: the processor's mode is changed for that operation alone.  What
 *  goes in and what comes out passes through empty asm statements, so that the
 *  compiler can neither move the operation out nor compute it beforehand.
 */
#ifndef SOFTGPU_ROUNDING_H
#define SOFTGPU_ROUNDING_H

#ifndef __x86_64__
#include <fenv.h>
#endif

#include "inline.h"

namespace softgpu {

/** @cond: a register for floats, and how the mode is kept and changed */
#ifdef __x86_64__
#define SOFTGPU_FLOATS "x"
/* Bits 13 and 14 of MXCSR. */
enum rounding { NEAREST = 0, DOWN = 0x2000, UP = 0x4000, TO_ZERO = 0x6000 };
SOFTGPU_FN unsigned int change_mode(rounding mode)
{
    unsigned int before, during;
    __asm__ volatile("stmxcsr %0" : "=m"(before));
    during = (before & ~0x6000u) | mode;
    __asm__ volatile("ldmxcsr %0" : : "m"(during));
    return before;
}
SOFTGPU_FN void restore_mode(unsigned int before)
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
SOFTGPU_FN int change_mode(rounding mode)
{
    int before = fegetround();
    fesetround(mode);
    return before;
}
SOFTGPU_FN void restore_mode(int before) { fesetround(before); }
#endif
/** @endcond */

/** The compiler knows nothing of the value any more. */
SOFTGPU_FN void hide(float &x)
{
    __asm__ volatile("" : "+" SOFTGPU_FLOATS(x));
}
/** The same for another type. */
SOFTGPU_FN void hide(double &x)
{
    __asm__ volatile("" : "+" SOFTGPU_FLOATS(x));
}
/** The same for a whole number. */
template <typename T> SOFTGPU_FN void hide(T &x)
{
    __asm__ volatile("" : "+r"(x));
}

/** op(x...) under the given mode; host and device.
 *  @param op  one operation on its parameters, returns float or double */
template <rounding mode, typename F, typename... T>
SOFTGPU_FN auto rounded(F op, T... x)
{
    if (mode == NEAREST)
        return op(x...);
    auto before = change_mode(mode);
    (hide(x), ...);
    auto result = op(x...);
    hide(result);
    restore_mode(before);
    return result;
}

/* The operators below promise never to become part of a fused multiply-add,
 * which g++ would make of them wherever it can.                            */

/** Keep a product that is an operand of + from being fused into it. */
template <typename T> SOFTGPU_FN T unfused(T x)
{
#if defined __FMA__ && !defined __clang__
    hide(x);
#endif
    return x;
}

/** @cond: the root and the fused multiply-add for either type */
SOFTGPU_FN float root(float x) { return __builtin_sqrtf(x); }
SOFTGPU_FN double root(double x) { return __builtin_sqrt(x); }
SOFTGPU_FN float fused(float a, float b, float c)
{
    return __builtin_fmaf(a, b, c);
}
SOFTGPU_FN double fused(double a, double b, double c)
{
    return __builtin_fma(a, b, c);
}
/** @endcond */

/** a * b, fused with nothing: as a multiply-add of -0 it still vectorises.
 *  Only to the nearest: rounding down, +0 + -0 would be -0. */
template <rounding mode, typename T> SOFTGPU_FN T product(T a, T b)
{
#if defined __FMA__ && !defined __clang__
    if (mode == NEAREST)
        return fused(a, b, T(-0.0));
#endif
    return a * b;
}

} // namespace softgpu

#endif
