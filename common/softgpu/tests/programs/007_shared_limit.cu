/* SPDX-License-Identifier: MIT */
/* 48 KB of dynamic shared memory are allowed, one byte more is an error. */
#include "check.h"

/* Fills n ints of shared memory, then adds what other threads stored. */
__global__ void fill(int *out, int n)
{
    extern __shared__ int s_data[];
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        s_data[i] = i;
    __syncthreads();
    int sum = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        sum += s_data[n - 1 - i] % 7;
    atomicAdd(out, sum);
}

int main()
{
    int *out = managed<int>(1), n = 48 * 1024 / 4, sum = 0;
    for (int i = 0; i < n; i++)
        sum += i % 7;
    fill<<<1, 256, 48 * 1024>>>(out, n);
    RUN();
    EXPECT(*out == sum);
    fill<<<1, 256, 48 * 1024 + 1>>>(out, n);
    SHOW(cudaGetLastError());
    OK(cudaDeviceSynchronize());
    EXPECT(*out == sum);
    printf("%d\n", sum);
    return 0;
}
