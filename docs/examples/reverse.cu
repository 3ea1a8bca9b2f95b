/* SPDX-License-Identifier: MIT */
/* A kernel without its barrier: the example of docs/pages/checks.md. */
#include <cuda_runtime.h>

/** Each of 64 threads moves its element to the other end, through s_tile. */
__global__ void reverse(float *x)
{
    __shared__ float s_tile[64];

    s_tile[threadIdx.x] = x[threadIdx.x];
    x[threadIdx.x] = s_tile[63 - threadIdx.x];
}

int main()
{
    float *x;

    if (cudaMalloc(&x, 64 * sizeof *x)) return 1;
    cudaMemset(x, 0, 64 * sizeof *x);
    reverse<<<1, 64>>>(x);
    return cudaFree(x);
}
