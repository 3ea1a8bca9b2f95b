/* SPDX-License-Identifier: MIT */
/* All lanes of a warp acquire the same lock, with a flag in a loop. */
#include "check.h"

/* Each lane tries for the lock until it has counted once. */
__global__ void each(int *lock, int *count)
{
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            *(volatile int *)count += 1;
            __threadfence();
            done = true;
            atomicExch(lock, 0);
        }
    }
}

int main()
{
    int *lock = managed<int>(1), *count = managed<int>(1);
    each<<<3, 64>>>(lock, count);
    RUN();
    printf("%d %d\n", *count, *lock);
    return 0;
}
