/* SPDX-License-Identifier: MIT */
// stderr: poke
/* An illegal address is a sticky error: every later call returns it. */
#include "check.h"

/* Stores through a pointer that is no address of the device. */
__global__ void poke(int *p) { *p = 1; }

int main()
{
    int *good = managed<int>(1), *d;
    OK(cudaMalloc(&d, 4));
    poke<<<1, 1>>>((int *)16);
    SHOW(cudaGetLastError());
    SHOW(cudaDeviceSynchronize());
    SHOW(cudaGetLastError());
    SHOW(cudaMalloc(&d, 4));
    poke<<<1, 1>>>(good);
    SHOW(cudaGetLastError());
    SHOW(cudaPeekAtLastError());
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
