/* SPDX-License-Identifier: MIT */
/* Sums of a block whose result all threads read from shared memory, where the
 * next sum is stored without a barrier in between: a race that a card's warps
 * win, and so do gangs. */
#include <cstdio>
#include <cuda_runtime.h>

enum { N = 768, STEPS = 4 };

/* The sum of all threads' values, by warps; no barrier at its end. */
__device__ int block_sum(int v)
{
    __shared__ int s_sums[32];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;

    for (int step = 16; step; step /= 2)
        v += __shfl_xor_sync(~0u, v, step);
    if (lane == 0)
        s_sums[warp] = v;
    __syncthreads();
    if (warp == 0) {
        v = lane < blockDim.x / 32 ? s_sums[lane] : 0;
        for (int step = 16; step; step /= 2)
            v += __shfl_xor_sync(~0u, v, step);
        if (lane == 0)
            s_sums[0] = v;
    }
    __syncthreads();
    return s_sums[0];
}

/* Subtract the mean, then add the mean square. */
__global__ void twice(const int *x, int *y)
{
    int sum = 0;
    for (int i = threadIdx.x; i < N; i += blockDim.x)
        sum += x[i];
    const int mean = block_sum(sum) / N;
    sum = 0;
    for (int i = threadIdx.x; i < N; i += blockDim.x)
        sum += (x[i] - mean) * (x[i] - mean);
    const int square = block_sum(sum) / N;
    for (int i = threadIdx.x; i < N; i += blockDim.x)
        y[i] = x[i] - mean + square;
}

/* In a loop: each sum is used for the next one, and by each thread in a loop
 * that changes it. */
__global__ void again(const int *x, int *y)
{
    int v = x[threadIdx.x];
    for (int step = 0; step < STEPS; step++) {
        int sum = block_sum(v);
        for (int i = 0; i < 3; i++)
            sum = sum * 3 + 1;
        v = (v + sum) % 1009 + threadIdx.x;
    }
    y[threadIdx.x] = v;
}

int main()
{
    int *x, *y;

    cudaMallocManaged(&x, N * sizeof *x);
    cudaMallocManaged(&y, N * sizeof *y);
    for (int i = 0; i < N; i++)
        x[i] = i % 7 * 5 + i % 3;
    for (int threads = 32; threads <= N; threads *= 2)
        for (auto *kernel : { twice, again }) {
            kernel<<<1, threads>>>(x, y);
            cudaDeviceSynchronize();
            long long all = 0;
            for (int i = 0; i < threads; i++)
                all = all * 31 % 1000003 + y[i];
            printf("%d: %d %d %lld\n", threads, y[0], y[threads - 1], all);
        }
    cudaFree(x);
    cudaFree(y);
}
