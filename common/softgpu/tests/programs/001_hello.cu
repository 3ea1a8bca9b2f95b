/* SPDX-License-Identifier: MIT */
/* One thread prints. */
#include <cstdio>

/* Prints the indices of its thread. */
__global__ void hello()
{
    printf("hello from thread %d of block %d\n", threadIdx.x, blockIdx.x);
}

int main()
{
    hello<<<1, 1>>>();
    cudaDeviceSynchronize();
    printf("back on the host\n");
    return 0;
}
