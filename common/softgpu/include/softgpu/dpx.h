/* SPDX-License-Identifier: MIT */
/** @file
 *  DPX: sums, maxima and minima in one step, for dynamic programming.
 *
 *  Names: viaddmax is max(a + b, c), vimax3 is max(a, b, c), vibmax is max and
 *  a predicate that tells which operand it is; _relu clamps to at least 0;
 *  s16x2 and u16x2 work on the two halfwords of a word.  Sums wrap.
 */
#ifndef SOFTGPU_DPX_H
#define SOFTGPU_DPX_H

#include "simd_in_word.h"

/** @cond: documented above */
namespace softgpu {

/** Apply op to the halfwords of three words. */
template <typename T, typename F>
SOFTGPU_FN auto halfwords(unsigned int a, unsigned int b, unsigned int c,
                          F op)
{
    unsigned int low = (unsigned short)op((T)a, (T)b, (T)c);
    unsigned int high = (unsigned short)op((T)(a >> 16), (T)(b >> 16),
                                           (T)(c >> 16));
    return low | high << 16;
}

template <typename T> SOFTGPU_FN auto wrapped_sum(T a, T b)
{
    return (T)((unsigned int)a + (unsigned int)b);
}
template <typename T> SOFTGPU_FN auto dpx_max(T a, T b)
{
    return a > b ? a : b;
}
template <typename T> SOFTGPU_FN auto dpx_min(T a, T b)
{
    return a < b ? a : b;
}

} // namespace softgpu

/* A function of words and the same function of halfwords. */
#define SOFTGPU_DPX(name, T, word, H, half, expr)                         \
    SOFTGPU_FN T __##name##word(T a, T b, T c)                            \
    {                                                                     \
        typedef T N;                                                      \
        (void)c;                                                          \
        return expr;                                                      \
    }                                                                     \
    SOFTGPU_FN unsigned int __##name##half(unsigned int x, unsigned int y, \
                                           unsigned int z)                \
    {                                                                     \
        typedef H N;                                                      \
        return softgpu::halfwords<H>(                                     \
            x, y, z, [](H a, H b, H c) { (void)c; return (H)(expr); });   \
    }
#define SOFTGPU_DPX_SIGNED(name, suffix, expr)                            \
    SOFTGPU_DPX(name, int, _s32##suffix, short, _s16x2##suffix, expr)
#define SOFTGPU_DPX_UNSIGNED(name, expr)                                  \
    SOFTGPU_DPX(name, unsigned int, _u32, unsigned short, _u16x2, expr)
#define SOFTGPU_DPX_ALL(name, expr)                                       \
    SOFTGPU_DPX_SIGNED(name, , expr)                                      \
    SOFTGPU_DPX_SIGNED(name, _relu, softgpu::dpx_max<N>(expr, 0))         \
    SOFTGPU_DPX_UNSIGNED(name, expr)

#define SOFTGPU_DPX_MINMAX(m)                                            \
    SOFTGPU_DPX_ALL(viadd##m,                                             \
                    softgpu::dpx_##m<N>(softgpu::wrapped_sum<N>(a, b), c)) \
    SOFTGPU_DPX_ALL(vi##m##3,                                             \
                    softgpu::dpx_##m<N>(softgpu::dpx_##m<N>(a, b), c))    \
    SOFTGPU_FN int __vi##m##_s32_relu(int a, int b)                       \
    {                                                                     \
        return softgpu::dpx_max(softgpu::dpx_##m(a, b), 0);               \
    }                                                                     \
    SOFTGPU_FN unsigned int __vi##m##_s16x2_relu(unsigned int a,          \
                                                 unsigned int b)          \
    {                                                                     \
        return __vmaxs2(__v##m##s2(a, b), 0);                             \
    }
SOFTGPU_DPX_MINMAX(max)
SOFTGPU_DPX_MINMAX(min)
#undef SOFTGPU_DPX_MINMAX
#undef SOFTGPU_DPX_ALL
#undef SOFTGPU_DPX_UNSIGNED
#undef SOFTGPU_DPX_SIGNED
#undef SOFTGPU_DPX

/* *first: the result is a (also if both are equal). */
#define SOFTGPU_DPX_PREDICATE(m, op, T, word, s, half)                         \
    SOFTGPU_FN T __vib##m##_##word(T a, T b, bool *first)                      \
    {                                                                          \
        *first = a op b;                                                       \
        return *first ? a : b;                                                 \
    }                                                                          \
    SOFTGPU_FN unsigned int __vib##m##_##half(unsigned int a, unsigned int b,  \
                                              bool *high, bool *low)           \
    {                                                                          \
        unsigned int r = __v##m##s##2(a, b);                                   \
        *low = (unsigned short)r == (unsigned short)a;                         \
        *high = r >> 16 == a >> 16;                                            \
        return r;                                                              \
    }
SOFTGPU_DPX_PREDICATE(max, >=, int, s32, s, s16x2)
SOFTGPU_DPX_PREDICATE(min, <=, int, s32, s, s16x2)
SOFTGPU_DPX_PREDICATE(max, >=, unsigned int, u32, u, u16x2)
SOFTGPU_DPX_PREDICATE(min, <=, unsigned int, u32, u, u16x2)
#undef SOFTGPU_DPX_PREDICATE
/** @endcond */

#endif
