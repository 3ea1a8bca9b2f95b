/* SPDX-License-Identifier: MIT */
/* CUDA: the sum by atomics. */
#include "sum.h"

/* One element per thread. */
__global__ void sum(const int *a, int n, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(out, a[i]);
}

extern "C" int device_sum(const int *d_a, int n)
{
    int *d_out, result = -1;
    cudaMalloc(&d_out, sizeof(int));
    cudaMemset(d_out, 0, sizeof(int));
    sum<<<(n + 31) / 32, 32>>>(d_a, n, d_out);
    cudaMemcpy(&result, d_out, sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_out);
    return result;
}
