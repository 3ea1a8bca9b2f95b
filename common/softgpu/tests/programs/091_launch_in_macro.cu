/* SPDX-License-Identifier: MIT */
/* Launches written by macros, in macros' arguments, and over many lines. */
#include "check.h"

#define LAUNCH(kernel, grid, block, ...) \
    do { \
        kernel<<<grid, block>>>(__VA_ARGS__); \
        RUN(); \
    } while (0)
#define CONFIG 2, dim3(4, 1, 1)
#define TWICE(statement) statement; statement
#define OPEN <<<

/* Counts the launches and their threads. */
__global__ void add(int *a, int by)
{
    atomicAdd(a, by);
}

int main()
{
    int *a = managed<int>(1);
    LAUNCH(add, 2, 3, a, 1);
    printf("%d\n", *a);
    add<<<CONFIG>>>(a, 10);
    RUN();
    printf("%d\n", *a);
    TWICE((add<<<1, 1>>>(a, 100)));
    RUN();
    printf("%d\n", *a);
    add
        <<<             /* three angle brackets: <<< */
            1,          // blocks >>>
            dim3(2, 2), 0,
            0           /* the default stream */
        >>>
        (
            a,
            1000);
    RUN();
    printf("%d\n", *a);
    add OPEN 1, 1 >>>(a, (1 >> 0) << 13);
    RUN();
    printf("%d\n", *a);
    return 0;
}
