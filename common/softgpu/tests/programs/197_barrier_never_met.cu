/* SPDX-License-Identifier: MIT */
/* Two threads wait for a flag that is never set: the launch ends with an error
 * instead of hanging for ever. */
// stderr: stuck
#include "check.h"

/* Thread 0 waits for lane 1, which waits for thread 0. */
__global__ void stuck(int *a)
{
    if (threadIdx.x == 0)
        __syncwarp(3);
    else
        __syncthreads();
    *a = 1;
}

int main()
{
    int *a = managed<int>(1);
    stuck<<<1, 2>>>(a);
    printf("%s\n",
           cudaDeviceSynchronize() == cudaSuccess ? "passed" : "failed");
    return 0;
}
