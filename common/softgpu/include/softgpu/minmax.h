/* SPDX-License-Identifier: MIT */
/** @file
 *  min() and max() in the global namespace with CUDA's set of overloads, and
 *  fminf() and its sisters as code that vectorises instead of a library call.
 *
 *  Of two floats, one of them NaN, the result is the other one.
 */
#ifndef SOFTGPU_MINMAX_H
#define SOFTGPU_MINMAX_H

#include "inline.h"

/** @cond: said above */
namespace softgpu {
template <typename T> SOFTGPU_FN T larger(T a, T b)
{
    T r = a > b ? a : b; /* b when one is NaN */
    return b != b ? a : r;
}
template <typename T> SOFTGPU_FN T smaller(T a, T b)
{
    T r = a < b ? a : b;
    return b != b ? a : r;
}
} // namespace softgpu

#define SOFTGPU_MINMAX(A, B, R)                                           \
    SOFTGPU_FN R min(A a, B b) { return softgpu::smaller((R)a, (R)b); }   \
    SOFTGPU_FN R max(A a, B b) { return softgpu::larger((R)a, (R)b); }
#define SOFTGPU_MINMAX_WHOLE(T)                                           \
    SOFTGPU_MINMAX(T, T, T)                                               \
    SOFTGPU_MINMAX(T, unsigned T, unsigned T)                             \
    SOFTGPU_MINMAX(unsigned T, T, unsigned T)                             \
    SOFTGPU_MINMAX(unsigned T, unsigned T, unsigned T)

SOFTGPU_MINMAX_WHOLE(int)
SOFTGPU_MINMAX_WHOLE(long)
SOFTGPU_MINMAX_WHOLE(long long)
SOFTGPU_MINMAX(float, float, float)
SOFTGPU_MINMAX(float, double, double)
SOFTGPU_MINMAX(double, float, double)
SOFTGPU_MINMAX(double, double, double)

#undef SOFTGPU_MINMAX_WHOLE
#undef SOFTGPU_MINMAX

/* gnu_inline: a second body of a function that the C library defines. */
#define SOFTGPU_CHOICE(name, T, body)                                    \
    extern inline __attribute__((gnu_inline, always_inline, artificial))  \
    T name(T a, T b) noexcept { return softgpu::body(a, b); }
extern "C" {
SOFTGPU_CHOICE(fmaxf, float, larger)
SOFTGPU_CHOICE(fminf, float, smaller)
SOFTGPU_CHOICE(fmax, double, larger)
SOFTGPU_CHOICE(fmin, double, smaller)
}
#undef SOFTGPU_CHOICE

#define SOFTGPU_NAMED(prefix, T)                                          \
    SOFTGPU_FN T prefix##min(T a, T b) { return a < b ? a : b; }          \
    SOFTGPU_FN T prefix##max(T a, T b) { return a > b ? a : b; }
SOFTGPU_NAMED(u, unsigned int)
SOFTGPU_NAMED(ll, long long)
SOFTGPU_NAMED(ull, unsigned long long)
#undef SOFTGPU_NAMED
/** @endcond */

#endif
