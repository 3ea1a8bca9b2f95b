/* SPDX-License-Identifier: MIT */
/* The old values of atomicAdd are all different: each slot is filled once. */
#include "check.h"

/* Adds to the slot whose number it has drawn. */
__global__ void take(int *next, int *slot)
{
    int ticket = atomicAdd(next, 1);
    slot[ticket] += blockIdx.x * blockDim.x + threadIdx.x + 1;
}

int main()
{
    int n = 1500, *next = managed<int>(1), *slot = managed<int>(n);
    take<<<15, 100>>>(next, slot);
    RUN();
    long long squares = 0;
    for (int i = 0; i < n; i++)
        squares += (long long)slot[i] * slot[i];
    printf("%d %d %lld\n", *next, total(slot, n), squares);
    return 0;
}
