/* SPDX-License-Identifier: MIT */
/* A pair of blocks plays ping-pong with atomics a hundred times. */
#include "check.h"

/* Waits for its turn, changes the score, gives the turn to the other. */
__global__ void ping_pong(int *turn, int *score)
{
    for (int i = 0; i < 100; i++) {
        while (atomicAdd(turn, 0) % 2 != (int)blockIdx.x)
            continue;
        __threadfence();
        *score = *(volatile int *)score * 3 % 1009 + blockIdx.x + 1;
        __threadfence();
        atomicAdd(turn, 1);
    }
}

int main()
{
    int *turn = managed<int>(1), *score = managed<int>(1), expected = 0;
    for (int i = 0; i < 200; i++)
        expected = expected * 3 % 1009 + i % 2 + 1;
    ping_pong<<<2, 1>>>(turn, score);
    RUN();
    EXPECT(*score == expected);
    printf("%d %d\n", *turn, *score);
    return 0;
}
