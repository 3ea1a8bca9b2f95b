/* SPDX-License-Identifier: MIT */
/* Shared memory declared in a device function is the block's own, and the
 * same at each call. */
#include "check.h"

__device__ int *scratch()
{
    __shared__ int s_scratch[64];
    return s_scratch;
}

__device__ int block_sum(int value)
{
    __shared__ int s_sum;
    if (threadIdx.x == 0)
        s_sum = 0;
    __syncthreads();
    atomicAdd(&s_sum, value);
    __syncthreads();
    int sum = s_sum;
    __syncthreads();
    return sum;
}

/* Two sums over the block, and an array that a function declares. */
__global__ void sums(int *out)
{
    int *s = scratch(), i = threadIdx.x;
    s[i] = i + blockIdx.x;
    int first = block_sum(i), second = block_sum(1);
    out[blockIdx.x * 64 + i] = scratch()[63 - i] * 10000 + first + second;
}

int main()
{
    int *out = managed<int>(128);
    sums<<<2, 64>>>(out);
    RUN();
    for (int i = 0; i < 128; i++)
        EXPECT(out[i] == (63 - i % 64 + i / 64) * 10000 + 2080);
    printf("%d %d\n", out[0], out[64]);
    return 0;
}
