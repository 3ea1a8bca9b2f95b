/* SPDX-License-Identifier: MIT */
/** @file
 *  min() and max() in the global namespace with CUDA's set of overloads, and
 *  fminf(), fmaxf(), fmin() and fmax() as inline code, which vectorizes.
 *
 *  If one of two floats is NaN, the result is the other.
 */
#ifndef SOFTGPU_MINMAX_H
#define SOFTGPU_MINMAX_H

#include "inline.h"

/** @cond: documented above */
namespace softgpu {
template <typename T> SOFTGPU_FN auto max_ignoring_nan(T a, T b)
{
    T r = a > b ? a : b; /* b when one is NaN */
    return b != b ? a : r;
}
template <typename T> SOFTGPU_FN auto min_ignoring_nan(T a, T b)
{
    T r = a < b ? a : b;
    return b != b ? a : r;
}
} // namespace softgpu

#define SOFTGPU_MINMAX(A, B, R)                                                \
    SOFTGPU_FN R min(A a, B b)                                                 \
    {                                                                          \
        return softgpu::min_ignoring_nan((R)a, (R)b);                          \
    }                                                                          \
    SOFTGPU_FN R max(A a, B b)                                                 \
    {                                                                          \
        return softgpu::max_ignoring_nan((R)a, (R)b);                          \
    }
#define SOFTGPU_MINMAX_INTEGER(T)                                              \
    SOFTGPU_MINMAX(T, T, T)                                                    \
    SOFTGPU_MINMAX(T, unsigned T, unsigned T)                                  \
    SOFTGPU_MINMAX(unsigned T, T, unsigned T)                                  \
    SOFTGPU_MINMAX(unsigned T, unsigned T, unsigned T)

SOFTGPU_MINMAX_INTEGER(int)
SOFTGPU_MINMAX_INTEGER(long)
SOFTGPU_MINMAX_INTEGER(long long)
SOFTGPU_MINMAX(float, float, float)
SOFTGPU_MINMAX(float, double, double)
SOFTGPU_MINMAX(double, float, double)
SOFTGPU_MINMAX(double, double, double)

#undef SOFTGPU_MINMAX_INTEGER
#undef SOFTGPU_MINMAX

/* gnu_inline: a second body of a function that the C library defines. */
#define SOFTGPU_MINMAX_LIBC(name, T, body)                                    \
    extern inline __attribute__((gnu_inline, always_inline, artificial))  \
    T name(T a, T b) noexcept { return softgpu::body(a, b); }
extern "C" {
SOFTGPU_MINMAX_LIBC(fmaxf, float, max_ignoring_nan)
SOFTGPU_MINMAX_LIBC(fminf, float, min_ignoring_nan)
SOFTGPU_MINMAX_LIBC(fmax, double, max_ignoring_nan)
SOFTGPU_MINMAX_LIBC(fmin, double, min_ignoring_nan)
}
#undef SOFTGPU_MINMAX_LIBC

#define SOFTGPU_MINMAX_PREFIX(prefix, T)                                       \
    SOFTGPU_FN T prefix##min(T a, T b)                                         \
    {                                                                          \
        return a < b ? a : b;                                                  \
    }                                                                          \
    SOFTGPU_FN T prefix##max(T a, T b)                                         \
    {                                                                          \
        return a > b ? a : b;                                                  \
    }
SOFTGPU_MINMAX_PREFIX(u, unsigned int)
SOFTGPU_MINMAX_PREFIX(ll, long long)
SOFTGPU_MINMAX_PREFIX(ull, unsigned long long)
#undef SOFTGPU_MINMAX_PREFIX
/** @endcond */

#endif
