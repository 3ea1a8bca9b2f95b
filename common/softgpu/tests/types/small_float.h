/* SPDX-License-Identifier: MIT */
/** @file
 *  A slow reference model of the 16-bit floats: all values by their bits, and
 *  rounding by search among them.  128-bit floats hold the exact values.
 */
#ifndef SMALL_FLOAT_H
#define SMALL_FLOAT_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "check.h"

#include <math.h>

/** Every STRIDE-th value of a large range is tested: 1 for the programs of
 *  make, more where types.c repeats them with other compilers. */
#ifndef STRIDE
#define STRIDE 1
#endif

typedef __float128 wide;

/** The parameters of a type. */
template <typename T> struct kind;
template <> struct kind<__half> {
    typedef __half2 pair;
    typedef __half_raw raw;
    static const int mantissa = 10, bias = 15;
};
template <> struct kind<__nv_bfloat16> {
    typedef __nv_bfloat162 pair;
    typedef __nv_bfloat16_raw raw;
    static const int mantissa = 7, bias = 127;
};

/** Bits of infinity. */
template <typename T> static int infinity(void)
{
    return (2 * kind<T>::bias + 1) << kind<T>::mantissa;
}

/** The absolute value of the bits; infinity is the next power of 2. */
template <typename T> static wide magnitude(int code)
{
    const int m = kind<T>::mantissa, field = code >> m;
    long double digits = code & ((1 << m) - 1);
    if (field)
        digits += 1 << m;
    return ldexpl(digits, (field ? field : 1) - kind<T>::bias - m);
}

/** The number of these bits. */
template <typename T> static T make(int code)
{
    return T(typename kind<T>::raw{(unsigned short)code});
}
/** The bits of the number. */
template <typename T> static int code_of(T x)
{
    return ((typename kind<T>::raw)x).x;
}
template <typename T> static bool is_nan(int code)
{
    return (code & 0x7FFF) > infinity<T>();
}

/** v rounded: mode n(earest), z(ero), u(p), d(own). */
template <typename T> static int rounded_code(wide v, char mode, bool minus)
{
    wide a = v < 0 ? -v : v;
    int low = 0, high = infinity<T>(), sign = minus ? 0x8000 : 0;
    if (v != v)
        return 0x7FFF;
    if (a * 0 != 0)
        return sign | infinity<T>();
    while (high - low > 1) {
        int middle = (low + high) / 2;
        *(magnitude<T>(middle) <= a ? &low : &high) = middle;
    }
    wide below = a - magnitude<T>(low), above = magnitude<T>(high) - a;
    bool away = mode == (minus ? 'd' : 'u');
    if (mode == 'n')
        away = below > above || (below == above && low % 2);
    if (below == 0 || mode == 'z')
        away = false;
    return sign | (away ? high : low);
}

/** The expected bits, or both NaN. */
#define CHECK_CODE(T, got, want, ...)                                     \
    do {                                                                  \
        int g = code_of<T>(got), w = want;                                \
        CHECK(g == w || (is_nan<T>(g) && is_nan<T>(w)),                   \
              "got %04x, want %04x", g, w);                               \
    } while (0)

#endif
