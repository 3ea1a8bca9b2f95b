/* SPDX-License-Identifier: MIT */
/* A failed device assert ends the kernel and is sticky. */
// stderr: block: [1,0,0], thread: [5,0,0] Assertion `i != 13` failed.
#include "check.h"
#include <cassert>

/* The assertion fails in thread 5 of block 1. */
__global__ void thirteen()
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    assert(i != 13);
}

/* Its assertion holds, though the device is in error when it is launched. */
__global__ void fine() { assert(blockDim.x == 4); }

int main()
{
    fine<<<1, 4>>>();
    SHOW(cudaDeviceSynchronize());
    thirteen<<<2, 8>>>();
    SHOW(cudaDeviceSynchronize());
    SHOW(cudaGetLastError());
    fine<<<1, 4>>>();
    SHOW(cudaGetLastError());
    return 0;
}
