/* SPDX-License-Identifier: MIT */
/* A barrier does not wait for threads that returned: the answer is 16. */
#include "check.h"

/* Threads from 16 on count themselves and return; the others wait. */
__global__ void half_leave(int *count)
{
    if (threadIdx.x >= 16) {
        atomicAdd(count, 1);
        return;
    }
    __syncthreads();
    __syncthreads();
    __syncthreads();
}

int main()
{
    int *count = managed<int>(1);
    half_leave<<<1, 32>>>(count);
    RUN();
    printf("%d\n", *count);
    return 0;
}
