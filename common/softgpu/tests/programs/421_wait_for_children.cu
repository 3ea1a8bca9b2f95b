/* SPDX-License-Identifier: MIT */
/* Dynamic parallelism by the rules before CUDA 12: a thread of a kernel waits
 * for what its block has launched, and reads the results.  The block's shared
 * memory, barriers and indices are as they were; children have their own.
 * nvcc refuses this from 12.0 on; before, it needs -rdc=true. */
#include "check.h"

enum { BLOCK = 64 };

/* Doubles the elements of a block, reversed, through shared memory. */
__global__ void reverse(int *a)
{
    __shared__ int s_a[BLOCK];
    int *mine = a + blockIdx.x * BLOCK;
    s_a[threadIdx.x] = 2 * mine[threadIdx.x];
    __syncthreads();
    mine[threadIdx.x] = s_a[BLOCK - 1 - threadIdx.x];
}

/* Each block launches for its own part and waits; the others wait at its
 * barrier. */
__global__ void parent(int *a, int blocks, int *wrong)
{
    __shared__ int s_kept[BLOCK];
    int *mine = a + blockIdx.x * blocks * BLOCK;
    s_kept[threadIdx.x] = mine[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 1) {
        reverse<<<blocks, BLOCK>>>(mine);
        reverse<<<blocks, BLOCK>>>(mine); /* after the one before */
        if (cudaDeviceSynchronize() != cudaSuccess || threadIdx.x != 1)
            atomicAdd(wrong, 1);
    }
    __syncthreads();
    if (mine[threadIdx.x] != 4 * s_kept[threadIdx.x] || blockDim.x != BLOCK)
        atomicAdd(wrong, 1);
}

/* Sums a range: grids of one block per half, down to 8 elements. */
__global__ void sum(const int *a, int n, int *to)
{
    if (n <= 8) {
        if (threadIdx.x == 0)
            for (int i = 0; i < n; i++)
                *to += a[i];
        return;
    }
    __shared__ int s_half[2]; /* children get global memory only */
    int *half = to + 1 + threadIdx.x * (n / 4);
    *half = 0;
    sum<<<1, 2>>>(a + threadIdx.x * (n / 2), n / 2, half);
    cudaDeviceSynchronize();
    s_half[threadIdx.x] = *half;
    __syncthreads();
    if (threadIdx.x == 0)
        *to = s_half[0] + s_half[1];
}

/* Nothing was launched: the call returns at once. */
__global__ void wait_for_nothing(int *calls)
{
    if (cudaDeviceSynchronize() == cudaSuccess)
        atomicAdd(calls, 1);
}

int main()
{
    enum { BLOCKS = 6, EACH = 4, N = BLOCKS * EACH * BLOCK };
    int *a = managed<int>(N), *out = managed<int>(128);
    for (int i = 0; i < N; i++)
        a[i] = i;
    parent<<<BLOCKS, BLOCK>>>(a, EACH, out);
    RUN();
    printf("%d wrong, %d %d\n", out[0], a[1], a[N - 1]);
    OK(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 4));
    out[1] = 0;
    sum<<<1, 2>>>(a, 64, out + 1);
    RUN();
    printf("%d\n", out[1]); /* 4 * (0 + ... + 63) */
    wait_for_nothing<<<3, 32>>>(out + 100);
    RUN();
    printf("%d\n", out[100]);
    return 0;
}
