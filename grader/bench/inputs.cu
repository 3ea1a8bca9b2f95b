/* SPDX-License-Identifier: MIT */
/* Inputs and comparisons of the bench, computed on the card. */
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "bench.h"

enum { BLOCKS = 1024, THREADS = 256 };

/* A well-mixed 32-bit number for each index and seed. */
__device__ static uint32_t mix_bits(uint64_t index, uint32_t seed)
{
    uint64_t z = (index + 1) * 0x9e3779b97f4a7c15u + seed;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)(z >> 32);
}

/** Each thread writes every T-th float (T the grid's threads). */
__global__ static void fill_floats(float *out, size_t n, uint32_t seed,
                                   float lo, float hi)
{
    const size_t step = (size_t)gridDim.x * THREADS;

    for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < n;
         i += step)
        out[i] = lo + (hi - lo) * ((float)(mix_bits(i, seed) >> 8) * 0x1p-24f);
}

/** The same for 16-bit floats. */
__global__ static void fill_16bit_floats(uint16_t *out, size_t n, uint32_t seed,
                                         bool bf16)
{
    const size_t step = (size_t)gridDim.x * THREADS;

    for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < n;
         i += step) {
        float value = (float)(int32_t)mix_bits(i, seed) * 0x1p-31f;

        out[i] = bf16 ? __bfloat16_as_ushort(__float2bfloat16(value))
                      : __half_as_ushort(__float2half(value));
    }
}

/** The same for bytes. */
__global__ static void fill_bytes(uint8_t *out, size_t n, uint32_t seed)
{
    const size_t step = (size_t)gridDim.x * THREADS;

    for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < n;
         i += step)
        out[i] = (uint8_t)mix_bits(i, seed);
}

/** maxima[0] becomes the largest |got - want|, maxima[1] the largest |want|, as
 *  bits: nonnegative floats, and NaN above them, compare like their bits. */
__global__ static void max_difference(const float *got, const float *want,
                                      size_t n, unsigned *maxima)
{
    const size_t step = (size_t)gridDim.x * THREADS;
    float off = 0, size = 0;

    for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < n;
         i += step) {
        float difference = fabsf(got[i] - want[i]);

        off = difference <= off ? off : difference; /* keeps NaN */
        size = fmaxf(size, fabsf(want[i]));
    }
    atomicMax(&maxima[0], __float_as_uint(fabsf(off)));
    atomicMax(&maxima[1], __float_as_uint(size));
}

void bench_floats(void *d_out, size_t bytes, uint32_t seed, float lo, float hi)
{
    fill_floats<<<BLOCKS, THREADS>>>((float *)d_out, bytes / sizeof(float),
                                     seed, lo, hi);
}

void bench_16bit_floats(void *d_out, size_t bytes, uint32_t seed, bool bf16)
{
    fill_16bit_floats<<<BLOCKS, THREADS>>>((uint16_t *)d_out, bytes / 2, seed,
                                           bf16);
}

void bench_bytes(void *d_out, size_t bytes, uint32_t seed)
{
    fill_bytes<<<BLOCKS, THREADS>>>((uint8_t *)d_out, bytes, seed);
}

double bench_max_error(const void *d_got, const void *d_want, size_t floats)
{
    float maxima[2] = {0, 0};
    unsigned *d_most = NULL;

    if (cudaMalloc(&d_most, sizeof maxima) != cudaSuccess) return 1;
    cudaMemset(d_most, 0, sizeof maxima);
    max_difference<<<BLOCKS, THREADS>>>((const float *)d_got,
                                        (const float *)d_want, floats, d_most);
    if (cudaMemcpy(maxima, d_most, sizeof maxima, cudaMemcpyDeviceToHost)
        != cudaSuccess)
        maxima[0] = INFINITY;
    cudaFree(d_most);
    return (double)maxima[0] / (double)(maxima[1] > 0 ? maxima[1] : 1);
}
