/* SPDX-License-Identifier: MIT */
/* Reduction in seven steps, those of M. Harris, "Optimizing parallel reduction
 * in CUDA" (2007): each block writes the sum of its elements. */
#include "ladder.h"

enum {
    N = 1 << 19,
    BLOCK = 128,
    ITEMS_PER_THREAD = 16 /* step 7 */
};

/* Interleaved addressing: active threads are selected by a modulo, so every
 * warp diverges and stays busy to the end. */
__global__ void reduce_1_interleaved(const int *in, int *out)
{
    __shared__ int s[BLOCK];
    const unsigned t = threadIdx.x;
    s[t] = in[blockIdx.x * BLOCK + t];
    __syncthreads(); /* all elements are loaded */
    for (unsigned stride = 1; stride < BLOCK; stride *= 2) {
        if (t % (2 * stride) == 0)
            s[t] += s[t + stride];
        __syncthreads(); /* this level is complete */
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}

/* Consecutive threads, but a stride of 2 * stride words: bank conflicts. */
__global__ void reduce_2_strided(const int *in, int *out)
{
    __shared__ int s[BLOCK];
    const unsigned t = threadIdx.x;
    s[t] = in[blockIdx.x * BLOCK + t];
    __syncthreads(); /* all elements are loaded */
    for (unsigned stride = 1; stride < BLOCK; stride *= 2) {
        const unsigned at = 2 * stride * t;
        if (at < BLOCK)
            s[at] += s[at + stride];
        __syncthreads(); /* this level is complete */
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}

/* Sequential addressing: no bank conflicts. */
__device__ void tree_reduce(int *s, unsigned down_to)
{
    for (unsigned half = BLOCK / 2; half > down_to; half /= 2) {
        if (threadIdx.x < half)
            s[threadIdx.x] += s[threadIdx.x + half];
        __syncthreads(); /* this level is complete */
    }
}

/* Neighboring threads add, so that warps are all active or all idle. */
__global__ void reduce_3_sequential(const int *in, int *out)
{
    __shared__ int s[BLOCK];
    s[threadIdx.x] = in[blockIdx.x * BLOCK + threadIdx.x];
    __syncthreads(); /* all elements are loaded */
    tree_reduce(s, 0);
    if (threadIdx.x == 0)
        out[blockIdx.x] = s[0];
}

/* Each thread adds two elements as it loads them: half the blocks. */
__global__ void reduce_4_first_add(const int *in, int *out)
{
    __shared__ int s[BLOCK];
    const unsigned i = blockIdx.x * BLOCK * 2 + threadIdx.x;
    s[threadIdx.x] = in[i] + in[i + BLOCK];
    __syncthreads(); /* all elements are loaded */
    tree_reduce(s, 0);
    if (threadIdx.x == 0)
        out[blockIdx.x] = s[0];
}

/* The last warp needs no barrier of the block. */
__device__ void last_warp(int *s)
{
    int sum = s[threadIdx.x] + s[threadIdx.x + 32];
#pragma unroll
    for (int lanes = 16; lanes > 0; lanes /= 2) {
        s[threadIdx.x] = sum;
        __syncwarp(); /* the warp has written */
        sum += s[threadIdx.x + lanes];
        __syncwarp(); /* and read */
    }
    s[threadIdx.x] = sum;
}

/* Two elements per thread on load; the last warp needs no barrier. */
__global__ void reduce_5_last_warp(const int *in, int *out)
{
    __shared__ int s[BLOCK];
    const unsigned i = blockIdx.x * BLOCK * 2 + threadIdx.x;
    s[threadIdx.x] = in[i] + in[i + BLOCK];
    __syncthreads(); /* all elements are loaded */
    tree_reduce(s, 32);
    if (threadIdx.x < 32)
        last_warp(s);
    if (threadIdx.x == 0)
        out[blockIdx.x] = s[0];
}

/* Unrolled: a block of 128 has one level above the last warp. */
__device__ void reduce_unrolled(int *s, int *out)
{
    if (threadIdx.x < 64)
        s[threadIdx.x] += s[threadIdx.x + 64];
    __syncthreads(); /* 64 sums are left */
    if (threadIdx.x < 32)
        last_warp(s);
    if (threadIdx.x == 0)
        out[blockIdx.x] = s[0];
}

/* The loop over the tree's levels is unrolled at compile time. */
__global__ void reduce_6_unrolled(const int *in, int *out)
{
    __shared__ int s[BLOCK];
    const unsigned i = blockIdx.x * BLOCK * 2 + threadIdx.x;
    s[threadIdx.x] = in[i] + in[i + BLOCK];
    __syncthreads(); /* all elements are loaded */
    reduce_unrolled(s, out);
}

/* Few blocks, many elements per thread. */
__global__ void reduce_7_many_each(const int *in, int *out, int n)
{
    __shared__ int s[BLOCK];
    int sum = 0;
    for (int i = blockIdx.x * BLOCK * 2 + threadIdx.x; i < n;
         i += gridDim.x * BLOCK * 2)
        sum += in[i] + in[i + BLOCK];
    s[threadIdx.x] = sum;
    __syncthreads(); /* all elements are loaded */
    reduce_unrolled(s, out);
}

/* The sum of the partial sums must be the total. */
static void check(const char *step, int *parts, int blocks, int want)
{
    cudaDeviceSynchronize();
    for (int i = 1; i < blocks; i++)
        parts[0] += parts[i];
    ladder_check(step, parts, &want, 1);
}

int main(void)
{
    int *in = ladder_memory<int>(N), *parts = ladder_memory<int>(N / BLOCK);
    int want = 0;
    ladder_fill(in, N, 1000);
    for (int i = 0; i < N; i++)
        want += in[i];
#define STEP(name, blocks, ...)                  \
    name<<<blocks, BLOCK>>>(in, parts __VA_ARGS__); \
    check(#name, parts, blocks, want);
    STEP(reduce_1_interleaved, N / BLOCK)
    STEP(reduce_2_strided, N / BLOCK)
    STEP(reduce_3_sequential, N / BLOCK)
    STEP(reduce_4_first_add, N / BLOCK / 2)
    STEP(reduce_5_last_warp, N / BLOCK / 2)
    STEP(reduce_6_unrolled, N / BLOCK / 2)
    STEP(reduce_7_many_each, N / BLOCK / ITEMS_PER_THREAD, , N)
    return ladder_wrong;
}
