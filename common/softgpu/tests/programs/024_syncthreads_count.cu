/* SPDX-License-Identifier: MIT */
/* __syncthreads_count, _and and _or, after some threads returned. */
#include "check.h"

/* Votes of all threads, then of those that did not return. */
__global__ void votes(int *out)
{
    int i = threadIdx.x;
    int third = __syncthreads_count(i % 3 == 0);
    int all = __syncthreads_and(i < 100);
    int none = __syncthreads_or(i == 100);
    int one = __syncthreads_or(i == 99);
    if (i >= 50)
        return;
    int rest = __syncthreads_count(1);
    int all_small = __syncthreads_and(i < 50);
    atomicAdd(&out[0], third);
    atomicAdd(&out[1], all != 0);
    atomicAdd(&out[2], none != 0);
    atomicAdd(&out[3], one != 0);
    atomicAdd(&out[4], rest);
    atomicAdd(&out[5], all_small != 0);
}

int main()
{
    int *out = managed<int>(6);
    votes<<<1, 100>>>(out);
    RUN();
    for (int i = 0; i < 6; i++)
        printf("%d\n", out[i]);
    return 0;
}
