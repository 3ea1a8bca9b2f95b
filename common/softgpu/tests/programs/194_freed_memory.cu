/* SPDX-License-Identifier: MIT */
/* A kernel that uses freed device memory fails. */
// stderr: stale
#include "check.h"

/* Stores to memory that the host has freed. */
__global__ void stale(int *a) { a[threadIdx.x] = 1; }

int main()
{
    int *a;
    OK(cudaMalloc(&a, 64 << 20));
    OK(cudaFree(a));
    stale<<<1, 32>>>(a);
    SHOW(cudaDeviceSynchronize());
    return 0;
}
