/* SPDX-License-Identifier: MIT */
/* Kernels that are compiled in parts, with what they share: a variable and a
 * table of this file, a counter of a function, and functions that are called
 * or pointed to.  VARIANT: of two files of one program, the second. */
#include <cstdio>

#ifndef VARIANT
#define VARIANT 1
#endif
#define REPEAT_8(x) x x x x x x x x
#define LARGE(x) REPEAT_8(REPEAT_8(REPEAT_8(x)))

static __device__ unsigned total;
static __constant__ unsigned table[4] = { 3, 5, 7, 11 };

/* An external function, called by kernels of several parts. */
#if VARIANT == 1
__device__ unsigned outer(unsigned x) { return x * 2654435761u; }
#else
extern __device__ unsigned outer(unsigned x);
#endif

static __device__ __noinline__ unsigned twice(unsigned x) { return 2 * x; }
static __device__ __noinline__ unsigned thrice(unsigned x) { return 3 * x; }

/* Which thread calls is not known here, how often is. */
static __device__ unsigned count_call()
{
    static __device__ unsigned calls;
    return atomicAdd(&calls, 1u);
}

/* Each thread mixes its number; a block's sum is added to `total'. */
template <int N> static __global__ void mix(unsigned *out, int rounds)
{
    __shared__ unsigned s_sum[64];
    unsigned (*const often)(unsigned) = rounds > N ? twice : thrice;
    unsigned x = threadIdx.x + N;
    for (int i = 0; i < rounds; i++) {
        LARGE(x = x * 1664525u + table[(x + N) % 4];)
        x = outer(x);
    }
    s_sum[threadIdx.x] = often(x);
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
        if (threadIdx.x < half)
            s_sum[threadIdx.x] += s_sum[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        atomicAdd(&total, s_sum[0]);
        count_call();
    }
    out[threadIdx.x] = s_sum[0] + x;
}

/* No barrier: a block is one loop over its threads. */
template <int N> static __global__ void scale(unsigned *out)
{
    unsigned x = out[threadIdx.x];
    LARGE(x = x * 22695477u + N;)
    out[threadIdx.x] = x;
}

/* How often a kernel has counted, this call included. */
static __global__ void calls(unsigned *out) { out[0] = count_call() + 1; }

static unsigned launch_all(unsigned *out)
{
    unsigned sum = 0, by_threads = 0;
    mix<1><<<1, 64>>>(out, 3);
    mix<2><<<1, 64>>>(out, 2);
    mix<3><<<1, 64>>>(out, 4);
    scale<1><<<1, 64>>>(out);
    scale<2><<<1, 64>>>(out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; i++)
        by_threads += out[i];
    cudaMemcpyFromSymbol(&sum, total, sizeof sum);
    calls<<<1, 1>>>(out);
    cudaDeviceSynchronize();
    printf("file %d: total %u, threads %u, calls %u\n", VARIANT, sum,
           by_threads, out[0]);
    return sum;
}

#if VARIANT == 1
unsigned launch_others(unsigned *out);
#ifdef ALONE
unsigned launch_others(unsigned *) { return 0; }
#endif

int main()
{
    unsigned *out;
    cudaMallocManaged(&out, 64 * sizeof *out);
    const unsigned sum = launch_all(out) + launch_others(out);
    printf("%u: %s\n", sum, cudaGetErrorString(cudaFree(out)));
    return 0;
}
#else
unsigned launch_others(unsigned *out) { return launch_all(out); }
#endif
