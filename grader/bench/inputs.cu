/* SPDX-License-Identifier: MIT */
/* Inputs and comparisons of the bench, made on the card. */
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "bench.h"

enum { BLOCKS = 1024, THREADS = 256 };

/* A well-mixed 32-bit number for each index and seed. */
__device__ static uint32_t mixed(uint64_t index, uint32_t seed)
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
        out[i] = lo + (hi - lo) * ((float)(mixed(i, seed) >> 8) * 0x1p-24f);
}

/** Likewise of 16-bit floats. */
__global__ static void fill_sixteens(uint16_t *out, size_t n, uint32_t seed,
                                     bool bf16)
{
    const size_t step = (size_t)gridDim.x * THREADS;

    for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < n;
         i += step) {
        float value = (float)(int32_t)mixed(i, seed) * 0x1p-31f;

        out[i] = bf16 ? __bfloat16_as_ushort(__float2bfloat16(value))
                      : __half_as_ushort(__float2half(value));
    }
}

/** Likewise of bytes. */
__global__ static void fill_bytes(uint8_t *out, size_t n, uint32_t seed)
{
    const size_t step = (size_t)gridDim.x * THREADS;

    for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < n;
         i += step)
        out[i] = (uint8_t)mixed(i, seed);
}

/** most[0] becomes the largest |got - want|, most[1] the largest |want|, as
 *  bits: floats from 0 up, and NaN above them, compare like their bits. */
__global__ static void largest(const float *got, const float *want, size_t n,
                               unsigned *most)
{
    const size_t step = (size_t)gridDim.x * THREADS;
    float off = 0, size = 0;

    for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < n;
         i += step) {
        float apart = fabsf(got[i] - want[i]);

        off = apart <= off ? off : apart; /* a NaN stays */
        size = fmaxf(size, fabsf(want[i]));
    }
    atomicMax(&most[0], __float_as_uint(fabsf(off)));
    atomicMax(&most[1], __float_as_uint(size));
}

void bench_floats(void *d_out, size_t bytes, uint32_t seed, float lo, float hi)
{
    fill_floats<<<BLOCKS, THREADS>>>((float *)d_out, bytes / sizeof(float),
                                     seed, lo, hi);
}

void bench_sixteens(void *d_out, size_t bytes, uint32_t seed, bool bf16)
{
    fill_sixteens<<<BLOCKS, THREADS>>>((uint16_t *)d_out, bytes / 2, seed,
                                       bf16);
}

void bench_bytes(void *d_out, size_t bytes, uint32_t seed)
{
    fill_bytes<<<BLOCKS, THREADS>>>((uint8_t *)d_out, bytes, seed);
}

double bench_distance(const void *d_got, const void *d_want, size_t floats)
{
    float most[2] = {0, 0};
    unsigned *d_most = NULL;

    if (cudaMalloc(&d_most, sizeof most) != cudaSuccess) return 1;
    cudaMemset(d_most, 0, sizeof most);
    largest<<<BLOCKS, THREADS>>>((const float *)d_got, (const float *)d_want,
                                 floats, d_most);
    if (cudaMemcpy(most, d_most, sizeof most, cudaMemcpyDeviceToHost)
        != cudaSuccess)
        most[0] = INFINITY;
    cudaFree(d_most);
    return (double)most[0] / (double)(most[1] > 0 ? most[1] : 1);
}
