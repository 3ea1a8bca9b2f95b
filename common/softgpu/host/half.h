/* SPDX-License-Identifier: MIT */
/** @file
 *  fp16 and bfloat16 elements of the libraries: conversions with the results
 *  of cuda_fp16.h and cuda_bf16.h, to nearest with ties to even.  In integers,
 *  since not every compiler has _Float16 on every target.
 */
#ifndef SOFTGPU_HALF_H
#define SOFTGPU_HALF_H

#include <stdint.h>
#include <string.h>

enum { HALF_QUIET_NAN = 0x7fff /**< a converted NaN, in both types */ };

/** The float with these bits. */
static inline float bits_to_float(uint32_t bits)
{
    float x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

/** The bits of a float. */
static inline uint32_t float_to_bits(float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/** fp16 to float; exact.  The exponent's bias is 112 less than a float's: a
 *  multiplication by 2^112 also normalizes subnormal values. */
static inline float half_to_float(uint16_t half)
{
    const uint32_t magnitude = (half & 0x7fffu) << 13;
    const uint32_t sign = (half & 0x8000u) << 16;
    const uint32_t value =
        magnitude >= 0x7c00u << 13
            ? magnitude | 0x7f800000u
            : float_to_bits(bits_to_float(magnitude) * 0x1p112f);

    return bits_to_float(value | sign);
}

/** float to fp16.  A result below 2^-14 is subnormal: adding 0.5 rounds it to
 *  a multiple of 2^-24, the unit of floats in [0.5, 1). */
static inline uint16_t float_to_half(float x)
{
    const uint32_t bits = float_to_bits(x), magnitude = bits & 0x7fffffffu;
    const uint16_t sign = (uint16_t)(bits >> 16 & 0x8000u);

    if (magnitude > 0x7f800000u)
        return HALF_QUIET_NAN;
    if (magnitude >= 0x47800000u)
        return sign | 0x7c00u;
    if (magnitude < 0x38800000u)
        return sign
               | (uint16_t)(float_to_bits(bits_to_float(magnitude) + 0.5f)
                            - 0x3f000000u);
    return sign
           | (uint16_t)((magnitude - (112u << 23) + 0xfffu
                         + (magnitude >> 13 & 1))
                        >> 13);
}

/** double to fp16 with one rounding.  The float between is rounded to odd, so
 *  that it cannot become a tie that the double is not. */
static inline uint16_t double_to_half(double x)
{
    const float near = (float)x;
    uint32_t bits = float_to_bits(near);

    if (x == x && (double)near != x && !(bits & 1)) {
        const double magnitude = x < 0 ? -x : x;

        bits += (double)bits_to_float(bits & 0x7fffffffu) > magnitude ? -1u
                                                                      : 1u;
    }
    return float_to_half(bits_to_float(bits));
}

/** bfloat16 to float; exact: a bfloat16 is the upper half of a float. */
static inline float bfloat16_to_float(uint16_t x)
{
    return bits_to_float((uint32_t)x << 16);
}

/** float to bfloat16. */
static inline uint16_t float_to_bfloat16(float x)
{
    const uint32_t bits = float_to_bits(x);

    if ((bits & 0x7fffffffu) > 0x7f800000u)
        return HALF_QUIET_NAN;
    return (uint16_t)((bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
}

#endif
