/* SPDX-License-Identifier: MIT */
/* The largest blocks and grids, and one more. */
#include "check.h"

/* Counts the threads that run. */
__global__ void count(unsigned *n) { atomicAdd(n, 1); }

static void launch(dim3 grid, dim3 block, unsigned *n)
{
    *n = 0;
    count<<<grid, block>>>(n);
    cudaError_t error = cudaGetLastError();
    OK(cudaDeviceSynchronize());
    printf("%s %u\n", cudaGetErrorName(error), *n);
}

int main()
{
    unsigned *n = managed<unsigned>(1);
    launch(1, 1024, n);
    launch(1, 1025, n);
    launch(1, dim3(32, 33), n);
    launch(1, dim3(1, 1, 64), n);
    launch(1, dim3(1, 1, 65), n);
    launch(1, dim3(1, 1024, 1), n);
    launch(dim3(1, 65535), 1, n);
    launch(dim3(1, 65536), 1, n);
    launch(dim3(1, 1, 65536), 1, n);
    launch(70000, 1, n);
    return 0;
}
