/* SPDX-License-Identifier: MIT */
/* A thread polls with __nanosleep until another block has written. */
#include "check.h"

/* Block 0 waits for the value that another block stores. */
__global__ void wait(volatile int *flag, int *out)
{
    if (blockIdx.x == 0) {
        while (*flag == 0)
            __nanosleep(100);
        *out = *flag + 1;
    } else {
        *flag = 41;
    }
}

int main()
{
    int *flag = managed<int>(1), *out = managed<int>(1);
    wait<<<2, 1>>>(flag, out);
    RUN();
    printf("%d\n", *out);
    return 0;
}
