/* SPDX-License-Identifier: MIT */
/* Elements of all types, and rounding to the small ones: as cuda_fp16.h and
 * cuda_bf16.h do it, to the nearest, ties to even. */
#include <math.h>
#include <string.h>

#include "blas.h"

#define QUIET 0x7fffu /* the NaN that conversions give, in both types */

/* The float with these bits. */
static float float_of(uint32_t bits)
{
    float x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

/* And back. */
static uint32_t bits_of(float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* A half's bits as those of a float 2^112 times too small. */
static float from_half(uint16_t half)
{
    const uint32_t magnitude = (half & 0x7fffu) << 13;
    const uint32_t sign = (half & 0x8000u) << 16;
    const uint32_t value = magnitude >= 0x7c00u << 13
                               ? magnitude | 0x7f800000u
                               : bits_of(float_of(magnitude) * 0x1p112f);

    return float_of(value | sign);
}

/* Below 2^-14 the fraction's unit is 2^-24, that of floats in [0.5, 1). */
static uint16_t to_half(float x)
{
    const uint32_t bits = bits_of(x), size = bits & 0x7fffffffu;
    const uint16_t sign = (uint16_t)(bits >> 16 & 0x8000u);

    if (size > 0x7f800000u)
        return QUIET;
    if (size >= 0x47800000u)
        return sign | 0x7c00u;
    if (size < 0x38800000u)
        return sign | (uint16_t)(bits_of(float_of(size) + 0.5f) - 0x3f000000u);
    return sign
           | (uint16_t)((size - (112u << 23) + 0xfffu + (size >> 13 & 1))
                        >> 13);
}

/* A bfloat16 is a float's upper half. */
static float from_bfloat(uint16_t x)
{
    return float_of((uint32_t)x << 16);
}

/* Half a unit is added, less one bit where that is a tie and even. */
static uint16_t to_bfloat(float x)
{
    const uint32_t bits = bits_of(x);

    if ((bits & 0x7fffffffu) > 0x7f800000u)
        return QUIET;
    return (uint16_t)((bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
}

float blas_as_half(float x)
{
    return from_half(to_half(x));
}

float blas_as_bfloat(float x)
{
    return from_bfloat(to_bfloat(x));
}

float blas_as_tf32(float x)
{
    const uint32_t bits = bits_of(x);

    return isfinite(x) ? float_of((bits + 0x1000u) & ~0x1fffu) : x;
}

size_t blas_bytes(cudaDataType type)
{
    switch (type) {
    case CUDA_R_64F:
        return 8;
    case CUDA_R_16F:
    case CUDA_R_16BF:
        return 2;
    case CUDA_R_8I:
        return 1;
    default:
        return 4;
    }
}

double blas_get(cudaDataType type, const void *p, int64_t i)
{
    switch (type) {
    case CUDA_R_64F:
        return ((const double *)p)[i];
    case CUDA_R_16F:
        return from_half(((const uint16_t *)p)[i]);
    case CUDA_R_16BF:
        return from_bfloat(((const uint16_t *)p)[i]);
    case CUDA_R_8I:
        return ((const int8_t *)p)[i];
    case CUDA_R_32I:
        return ((const int32_t *)p)[i];
    default:
        return ((const float *)p)[i];
    }
}

void blas_set(cudaDataType type, void *p, int64_t i, double value)
{
    switch (type) {
    case CUDA_R_64F:
        ((double *)p)[i] = value;
        break;
    case CUDA_R_16F:
        ((uint16_t *)p)[i] = to_half((float)value);
        break;
    case CUDA_R_16BF:
        ((uint16_t *)p)[i] = to_bfloat((float)value);
        break;
    case CUDA_R_32I:
        ((int32_t *)p)[i] = (int32_t)(int64_t)value;
        break;
    default:
        ((float *)p)[i] = (float)value;
    }
}

void blas_to_floats(cudaDataType type, const void *from, float *to, size_t n)
{
    const uint16_t *small = from;

    if (type == CUDA_R_16F)
        for (size_t i = 0; i < n; i++)
            to[i] = from_half(small[i]);
    else if (type == CUDA_R_16BF)
        for (size_t i = 0; i < n; i++)
            to[i] = from_bfloat(small[i]);
    else
        memcpy(to, from, n * sizeof *to);
}
