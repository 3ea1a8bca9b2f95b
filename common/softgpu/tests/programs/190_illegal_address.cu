/* SPDX-License-Identifier: MIT */
/* A store outside all memory: the error names kernel, block and thread. */
// stderr: block (2,0,0)
// stderr: thread (7,0,0)
// stderr: scatter
#include "check.h"

/* Thread 7 of block 2 stores far outside. */
__global__ void scatter(int *a, long long far)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i == 71 ? far : i] = i;
}

int main()
{
    int *a;
    OK(cudaMalloc(&a, 128 * sizeof(int)));
    scatter<<<4, 32>>>(a, 1ll << 40);
    SHOW(cudaDeviceSynchronize());
    SHOW(cudaFree(a));
    return 0;
}
