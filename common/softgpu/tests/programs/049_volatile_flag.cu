/* SPDX-License-Identifier: MIT */
/* A block spins on a volatile flag that a later block sets. */
#include "check.h"

/* Blocks take turns from the last to the first. */
__global__ void chain(volatile int *flag, int *order, int *next)
{
    int mine = gridDim.x - 1 - blockIdx.x;
    if (threadIdx.x == 0) {
        while (*flag != mine)
            continue;
        order[(*next)++] = blockIdx.x;
        __threadfence();
        *flag = mine + 1;
    }
}

int main()
{
    int n = 6, *flag = managed<int>(1), *next = managed<int>(1);
    int *order = managed<int>(n);
    chain<<<n, 32>>>(flag, order, next);
    RUN();
    for (int i = 0; i < n; i++)
        printf("%d ", order[i]);
    printf("\n");
    return 0;
}
