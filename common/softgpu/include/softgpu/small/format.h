/* SPDX-License-Identifier: MIT */
/** @file
 *  The encodings of small floats (minifloats).
 *
 *  minifloat encodes any format in any rounding mode, in plain arithmetic;
 *  half_encoding and bfloat16_encoding add fast conversions to nearest.
 */
#ifndef SOFTGPU_SMALL_FORMAT_H
#define SOFTGPU_SMALL_FORMAT_H

#include "../convert.h"

namespace softgpu {

/** An IEEE-like format of one sign bit, E exponent and M mantissa bits. */
template <int E, int M> struct minifloat {
    static constexpr int min_exponent =
        2 - (1 << (E - 1)); /**< of normal numbers */
    static constexpr unsigned int sign = 1u << (E + M);
    static constexpr unsigned int infinity = ((1u << E) - 1) << M;
    static constexpr unsigned int nan = sign - 1; /**< the card's only one */

    /** Encode x, rounded once. */
    static unsigned int encode(double x, rounding mode)
    {
        unsigned int sign_bit = __builtin_signbit(x) ? sign : 0;
        double a = __builtin_fabs(x);
        bool rounds_away = mode == (sign_bit ? DOWN : UP);
        if (a != a)
            return nan;
        if (__builtin_isinf(a))
            return sign_bit | infinity;
        int e = a < __builtin_ldexp(1.0, min_exponent) ? min_exponent
                                                       : __builtin_ilogb(a);
        double k = __builtin_ldexp(a, M - e); /* in units of the last place */
        k = mode == NEAREST ? __builtin_rint(k)
            : rounds_away   ? __builtin_ceil(k)
                            : __builtin_floor(k);
        /* k holds the leading bit of a normal number: it adds 1 to the field */
        unsigned int code = ((unsigned int)(e - min_exponent) << M)
                            + (unsigned int)k;
        if (code >= infinity)
            code = mode == NEAREST || rounds_away ? infinity : infinity - 1;
        return sign_bit | code;
    }

    /** Decode; exact. */
    static double decode(unsigned int code)
    {
        int e = (int)((code & infinity) >> M);
        double m = code & ((1u << M) - 1);
        double a = e == 0 ? __builtin_ldexp(m, min_exponent - M)
                          : __builtin_ldexp(m + (1 << M),
                                            e - 1 + min_exponent - M);
        if ((code & infinity) == infinity)
            a = m != 0 ? __builtin_nan("") : __builtin_inf();
        return code & sign ? -a : a;
    }
};

/* Rounding in two steps equals rounding once if the first step rounds to odd:
 * truncate, and set the last bit if the result is inexact.                   */

/** x as a float, rounded to odd. */
SOFTGPU_FN float to_float_round_to_odd(double x)
{
    float f = (float)x;
    double back = f;
    unsigned int code = bits<unsigned int>(f);
    if (back == x || x != x)
        return f;
    code -= __builtin_fabs(back) > __builtin_fabs(x);
    return bits<float>(code | 1);
}

/** x as a double, rounded to odd. */
template <typename I> SOFTGPU_FN double to_double_round_to_odd(I x)
{
    double d = to_floating<double, TO_ZERO>(x);
    bool exact = (I)d == x;
    return bits<double>(bits<unsigned long long>(d) | !exact);
}

/** a * b + c of floats with at most 12 bits each, rounded to odd. */
SOFTGPU_FN double fma_round_to_odd(double a, double b, double c)
{
    double p = unfused_product<NEAREST>(a, b); /* exact */
    double s = unfused(p) + c, v = s - p;
    double lost = (p - (s - v)) + (c - v);
    unsigned long long code = bits<unsigned long long>(s);
    if (!(lost > 0 || lost < 0))
        return s;                  /* exact, infinite or NaN */
    code -= (lost < 0) != (s < 0); /* s is beyond the sum: truncate */
    return bits<double>(code | 1);
}

/** 5 exponent bits, 10 mantissa bits: __half. */
struct half_encoding : minifloat<5, 10> {
#if (defined __clang_major__ && __clang_major__ >= 15) \
    || (!defined __clang__ && __GNUC__ >= 12 && defined __SSE2__)
    /** To the nearest half; one instruction if the processor has it. */
    SOFTGPU_FN static unsigned short narrow(float x)
    {
        return bits<unsigned short>((_Float16)x);
    }
    /** The float of the same value. */
    SOFTGPU_FN static float widen(unsigned short code)
    {
        return (float)bits<_Float16>(code);
    }
#elif defined __F16C__
    typedef float floats __attribute__((vector_size(16)));
    typedef short shorts __attribute__((vector_size(16)));
    /** To the nearest half. */
    SOFTGPU_FN static unsigned short narrow(float x)
    {
        return (unsigned short)((shorts)__builtin_ia32_vcvtps2ph(
            floats{ x, 0, 0, 0 }, 4))[0];
    }
    /** The float of the same value. */
    SOFTGPU_FN static float widen(unsigned short code)
    {
        return ((floats)__builtin_ia32_vcvtph2ps(shorts{ (short)code }))[0];
    }
#else
    /** To the nearest half. */
    static unsigned short narrow(float x)
    {
        return (unsigned short)encode(x, NEAREST);
    }
    /** The float of the same value. */
    static float widen(unsigned short code) { return (float)decode(code); }
#endif
};

/** 8 exponent bits, 7 mantissa bits, the upper half of a float:
 *  __nv_bfloat16. */
struct bfloat16_encoding : minifloat<8, 7> {
    /** To the nearest. */
    SOFTGPU_FN static unsigned short narrow(float x)
    {
        unsigned int code = bits<unsigned int>(x);
        unsigned int even = code >> 16 & 1;
        unsigned int rounded = (code + 0x7FFF + even) >> 16;
        return (unsigned short)(x != x ? (unsigned int)nan : rounded);
    }
    /** The float of the same value. */
    SOFTGPU_FN static float widen(unsigned short code)
    {
        return bits<float>((unsigned int)code << 16);
    }
};

/** A number of any type, rounded to nearest. */
template <typename Format> SOFTGPU_FN unsigned short narrow(float x)
{
    return Format::narrow(x);
}
/** The same. */
template <typename Format> SOFTGPU_FN unsigned short narrow(double x)
{
    return Format::narrow(to_float_round_to_odd(x));
}
/** The same for an integer. */
template <typename Format, typename I> SOFTGPU_FN unsigned short narrow(I x)
{
    return narrow<Format>(to_double_round_to_odd(x));
}

} // namespace softgpu

#endif
