/* SPDX-License-Identifier: MIT */
/* Loading, storing and rounding elements of all data types. */
#include <math.h>
#include <string.h>

#include "../host/half.h"
#include "blas.h"

float blas_round_to_half(float x)
{
    return half_to_float(float_to_half(x));
}

float blas_round_to_bfloat16(float x)
{
    return bfloat16_to_float(float_to_bfloat16(x));
}

float blas_round_to_tf32(float x)
{
    const uint32_t bits = float_to_bits(x);

    return isfinite(x) ? bits_to_float((bits + 0x1000u) & ~0x1fffu) : x;
}

size_t blas_bytes(cudaDataType type)
{
    switch (type) {
    case CUDA_C_64F:
        return 16;
    case CUDA_R_64F:
    case CUDA_C_32F:
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

double blas_load(cudaDataType type, const void *p, int64_t i)
{
    switch (type) {
    case CUDA_R_64F:
        return ((const double *)p)[i];
    case CUDA_R_16F:
        return half_to_float(((const uint16_t *)p)[i]);
    case CUDA_R_16BF:
        return bfloat16_to_float(((const uint16_t *)p)[i]);
    case CUDA_R_8I:
        return ((const int8_t *)p)[i];
    case CUDA_R_32I:
        return ((const int32_t *)p)[i];
    default:
        return ((const float *)p)[i];
    }
}

void blas_store(cudaDataType type, void *p, int64_t i, double value)
{
    switch (type) {
    case CUDA_R_64F:
        ((double *)p)[i] = value;
        break;
    case CUDA_R_16F:
        ((uint16_t *)p)[i] = float_to_half((float)value);
        break;
    case CUDA_R_16BF:
        ((uint16_t *)p)[i] = float_to_bfloat16((float)value);
        break;
    case CUDA_R_32I:
        ((int32_t *)p)[i] = (int32_t)(int64_t)value;
        break;
    default:
        ((float *)p)[i] = (float)value;
    }
}

double complex blas_load_complex(cudaDataType type, const void *p, int64_t i)
{
    const cudaDataType real = blas_real_type(type);

    if (real == type)
        return blas_load(type, p, i);
    return CMPLX(blas_load_real(real, p, 2 * i),
                 blas_load_real(real, p, 2 * i + 1));
}

void blas_store_complex(cudaDataType type, void *p, int64_t i,
                        double complex value)
{
    const cudaDataType real = blas_real_type(type);

    if (real == type) {
        blas_store(type, p, i, creal(value));
        return;
    }
    blas_store_real(real, p, 2 * i, creal(value));
    blas_store_real(real, p, 2 * i + 1, cimag(value));
}

void blas_load_floats(cudaDataType type, const void *from, float *to, size_t n)
{
    const uint16_t *small = from;

    if (type == CUDA_R_16F)
        for (size_t i = 0; i < n; i++)
            to[i] = half_to_float(small[i]);
    else if (type == CUDA_R_16BF)
        for (size_t i = 0; i < n; i++)
            to[i] = bfloat16_to_float(small[i]);
    else
        memcpy(to, from, n * sizeof *to);
}
