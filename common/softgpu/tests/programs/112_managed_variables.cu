/* SPDX-License-Identifier: MIT */
/* __managed__ variables are read and written by host and device. */
#include "check.h"

__device__ __managed__ int counter = 3;
__managed__ float results[4];

/* Reads the counter that the host set, and counts on. */
__global__ void compute()
{
    results[threadIdx.x] = counter * 1.5f + threadIdx.x;
    atomicAdd(&counter, 1);
}

int main()
{
    counter *= 2;
    compute<<<1, 1>>>();
    RUN();
    printf("%d %g\n", counter, results[0]);
    results[3] = -1;
    counter = 0;
    compute<<<1, 3>>>();
    RUN();
    printf("%d %g\n", counter, results[3]);
    return 0;
}
