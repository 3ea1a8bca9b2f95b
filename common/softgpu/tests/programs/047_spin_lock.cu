/* SPDX-License-Identifier: MIT */
/* A lock of atomicCAS and atomicExch, taken by one thread of each block. */
#include "check.h"

__device__ int lock;
__device__ int counter[3];

/* Changes three counters, which must agree, while it holds the lock. */
__global__ void locked(int rounds)
{
    if (threadIdx.x != 0)
        return;
    for (int r = 0; r < rounds; r++) {
        while (atomicCAS(&lock, 0, 1) != 0)
            continue;
        __threadfence();
        volatile int *c = counter;
        int before = c[0];
        c[0] = before + 1;
        c[1] = c[1] + before % 7;
        c[2] = c[0] - before;
        __threadfence();
        atomicExch(&lock, 0);
    }
}

int main()
{
    int h_counter[3];
    locked<<<20, 32>>>(10);
    RUN();
    OK(cudaMemcpyFromSymbol(h_counter, counter, sizeof h_counter));
    printf("%d %d %d\n", h_counter[0], h_counter[1], h_counter[2]);
    return 0;
}
