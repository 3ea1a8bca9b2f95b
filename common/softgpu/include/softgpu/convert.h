/* SPDX-License-Identifier: MIT */
/** @file
 *  CUDA's conversions: between float, double and integers with a rounding mode,
 *  and between a number and its bits; host and device.
 *
 *  Conversions to an integer saturate, as on a card.  A NaN becomes 0 if
 *  neither type has 64 bits, else the integer with only the top bit set.
 */
#ifndef SOFTGPU_CONVERT_H
#define SOFTGPU_CONVERT_H

#include "rounding.h"

namespace softgpu {

/** The bits of a value as another type of the same size. */
template <typename To, typename From> SOFTGPU_FN auto bits(From from)
{
    static_assert(sizeof(To) == sizeof(From), "bits: sizes differ");
    To to;
    __builtin_memcpy(&to, &from, sizeof to);
    return to;
}

/** @cond: x rounded to an integer, as a float or a double */
template <rounding mode> SOFTGPU_FN auto round_to_integral(float x)
{
    return mode == NEAREST ? __builtin_rintf(x)
           : mode == DOWN  ? __builtin_floorf(x)
           : mode == UP    ? __builtin_ceilf(x)
                           : __builtin_truncf(x);
}
template <rounding mode> SOFTGPU_FN auto round_to_integral(double x)
{
    return mode == NEAREST ? __builtin_rint(x)
           : mode == DOWN  ? __builtin_floor(x)
           : mode == UP    ? __builtin_ceil(x)
                           : __builtin_trunc(x);
}
/** @endcond */

/** A float or double to an integer of type I, as a card converts. */
template <typename I, rounding mode, typename F> SOFTGPU_FN auto to_integer(F x)
{
    constexpr bool is_signed = I(-1) < I(0);
    constexpr int width = 8 * sizeof(I);
    constexpr I top = I(1ull << (width - 1));
    constexpr I least = is_signed ? top : I(0);
    constexpr F limit = F(1ull << (width - 1)) * (is_signed ? 1 : 2);
    x = round_to_integral<mode>(x);
    if (x != x)
        return width <= 32 && sizeof(F) == 4 ? I(0) : top;
    return x >= limit ? I(~least) : x < F(least) ? least : I(x);
}

/** A number to type F under a rounding mode. */
template <typename F, rounding mode, typename T>
SOFTGPU_FN auto to_floating(T x)
{
    /* 0 is a special case: a compiler can convert by a subtraction, whose zero
     * is negative when rounding down. */
    return x == 0 ? F(x) : rounded<mode>([](T v) { return F(v); }, x);
}

} // namespace softgpu

/** @cond: __float2int_rn() and so on, as described above */
#define SOFTGPU_TO(name, I, s, mode)                                      \
    SOFTGPU_FN I __float2##name##_##s(float x)                            \
    {                                                                     \
        return softgpu::to_integer<I, mode>(x);                             \
    }                                                                     \
    SOFTGPU_FN I __double2##name##_##s(double x)                          \
    {                                                                     \
        return softgpu::to_integer<I, mode>(x);                             \
    }
#define SOFTGPU_FROM(from, T, to, F, s, mode)                             \
    SOFTGPU_FN F __##from##2##to##_##s(T x)                               \
    {                                                                     \
        return softgpu::to_floating<F, mode>(x);                              \
    }
#define SOFTGPU_CONVERT(s, mode)                                          \
    SOFTGPU_TO(int, int, s, mode)                                         \
    SOFTGPU_TO(uint, unsigned int, s, mode)                               \
    SOFTGPU_TO(ll, long long, s, mode)                                    \
    SOFTGPU_TO(ull, unsigned long long, s, mode)                          \
    SOFTGPU_FROM(int, int, float, float, s, mode)                         \
    SOFTGPU_FROM(uint, unsigned int, float, float, s, mode)               \
    SOFTGPU_FROM(ll, long long, float, float, s, mode)                    \
    SOFTGPU_FROM(ull, unsigned long long, float, float, s, mode)          \
    SOFTGPU_FROM(ll, long long, double, double, s, mode)                  \
    SOFTGPU_FROM(ull, unsigned long long, double, double, s, mode)        \
    SOFTGPU_FROM(double, double, float, float, s, mode)

SOFTGPU_EACH_ROUNDING(SOFTGPU_CONVERT)
SOFTGPU_FROM(int, int, double, double, rn, softgpu::NEAREST)
SOFTGPU_FROM(uint, unsigned int, double, double, rn, softgpu::NEAREST)

#undef SOFTGPU_CONVERT
#undef SOFTGPU_FROM
#undef SOFTGPU_TO

#define SOFTGPU_BITS(name, To, From)                                      \
    SOFTGPU_FN To __##name(From x) { return softgpu::bits<To>(x); }
SOFTGPU_BITS(float_as_int, int, float)
SOFTGPU_BITS(float_as_uint, unsigned int, float)
SOFTGPU_BITS(int_as_float, float, int)
SOFTGPU_BITS(uint_as_float, float, unsigned int)
SOFTGPU_BITS(double_as_longlong, long long, double)
SOFTGPU_BITS(longlong_as_double, double, long long)
#undef SOFTGPU_BITS
/** @endcond */

/** The upper 32 bits of a double. */
SOFTGPU_FN int __double2hiint(double x)
{
    return (int)(__double_as_longlong(x) >> 32);
}
/** The lower 32 bits of a double. */
SOFTGPU_FN int __double2loint(double x)
{
    return (int)__double_as_longlong(x);
}
/** A double from its upper and its lower 32 bits. */
SOFTGPU_FN double __hiloint2double(int hi, int lo)
{
    unsigned long long upper = (unsigned int)hi, lower = (unsigned int)lo;
    return softgpu::bits<double>(upper << 32 | lower);
}

#endif
