/* SPDX-License-Identifier: MIT */
/* Warp functions in branches that the lanes of a warp take together, and
 * volatile accesses, which no loop waits for. */
#include <stdio.h>

enum { THREADS = 128, BLOCKS = 4, ALL = THREADS * BLOCKS };

__device__ int warp_sum_or_max(int value, bool sum)
{
    if (sum)
        for (int d = 16; d; d /= 2)
            value += __shfl_down_sync(~0u, value, d);
    else
        for (int d = 16; d; d /= 2)
            value = max(value, __shfl_down_sync(~0u, value, d));
    return value;
}

/* The first warp alone comes to the second call. */
__global__ void reduce(const int *in, int *out, bool sum)
{
    __shared__ int s[THREADS / 32];
    const int lane = threadIdx.x % 32;
    int value = warp_sum_or_max(in[blockIdx.x * THREADS + threadIdx.x], sum);
    if (lane == 0)
        s[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x < 32) {
        value = lane < THREADS / 32 ? s[lane] : 0;
        value = warp_sum_or_max(value, sum);
        if (lane == 0)
            out[blockIdx.x] = value;
    }
}

/* Warps take other numbers of turns, and each turn goes one of two ways. */
__global__ void turns(const int *in, int *out, int ways)
{
    const int at = blockIdx.x * THREADS + threadIdx.x;
    int value = in[at];
    for (int i = 0; i < in[at / 32]; i++)
        if (ways >> i % 3 & 1)
            value += __shfl_xor_sync(~0u, value, 1 << i % 5);
        else
            value ^= __shfl_up_sync(~0u, value, 3);
    out[at] = value;
}

/* Some lanes come to a call by another way, but all of them to the same. */
__global__ void meet_again(const int *in, int *out, int n, bool add)
{
    const int at = blockIdx.x * THREADS + threadIdx.x;
    if (at / 32 * 32 < n) {
        int value = in[at] % 2 ? in[at] * 3 : 7;
        if (add)
            value += __shfl_xor_sync(~0u, value, 9);
        else
            value -= __shfl_xor_sync(~0u, value, 5);
        out[at] = value;
    }
}

/* The last block adds what the others have stored. */
__global__ void last_block(const int *in, volatile int *sums, int *blocks,
                           int *out)
{
    __shared__ bool s_last;
    int value = warp_sum_or_max(in[blockIdx.x * THREADS + threadIdx.x], true);
    if (threadIdx.x % 32 == 0)
        sums[blockIdx.x * (THREADS / 32) + threadIdx.x / 32] = value;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        s_last = atomicAdd(blocks, 1) == BLOCKS - 1;
    __syncthreads();
    if (!s_last)
        return;
    value = 0;
    for (int i = threadIdx.x; i < ALL / 32; i += THREADS)
        value += sums[i];
    if (threadIdx.x < 32) {
        value = warp_sum_or_max(value, true);
        if (threadIdx.x == 0)
            *out = value;
    }
}

static void print(const char *what, const int *words, int n)
{
    unsigned sum = 0;
    for (int i = 0; i < n; i++)
        sum = sum * 31 + (unsigned)words[i];
    printf("%s: %s %u\n", what, cudaGetErrorName(cudaDeviceSynchronize()),
           sum);
}

int main()
{
    int *in, *out, *work;
    cudaMallocManaged(&in, ALL * sizeof *in);
    cudaMallocManaged(&out, ALL * sizeof *out);
    cudaMallocManaged(&work, ALL * sizeof *work);
    for (int i = 0; i < ALL; i++)
        in[i] = i * 37 % 23 + 1;
    for (int sum = 0; sum < 2; sum++) {
        reduce<<<BLOCKS, THREADS>>>(in, out, sum);
        cudaDeviceSynchronize();
        print("reduce", out, BLOCKS);
        meet_again<<<BLOCKS, THREADS>>>(in, out, ALL - 64, sum);
        cudaDeviceSynchronize();
        print("meet_again", out, ALL);
    }
    for (int ways = 0; ways < 8; ways++) {
        turns<<<BLOCKS, THREADS>>>(in, out, ways);
        cudaDeviceSynchronize();
        print("turns", out, ALL);
    }
    last_block<<<BLOCKS, THREADS>>>(in, work, work + 100, out);
    cudaDeviceSynchronize();
    print("last_block", out, 1);
    return 0;
}
