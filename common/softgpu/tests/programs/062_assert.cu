/* SPDX-License-Identifier: MIT */
/* A failed device assert ends the kernel and is sticky.  Each thread whose
 * assert fails says so. */
// stderr: block: [1,0,0], thread: [5,0,0] Assertion `i % 8 < 5` failed.
// stderr: block: [1,0,0], thread: [6,0,0] Assertion `i % 8 < 5` failed.
// stderr: block: [1,0,0], thread: [7,0,0] Assertion `i % 8 < 5` failed.
#include "check.h"
#include <cassert>

/* The assertion fails in threads 5 to 7 of block 1, while others wait. */
__global__ void thirteen()
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 8) return;
    if (i < 12) __syncthreads();
    assert(i % 8 < 5);
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
