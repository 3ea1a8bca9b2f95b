/* SPDX-License-Identifier: MIT */
/* clock() and clock64() increase, so a loop that waits for them ends. */
#include "check.h"

/* Waits for a number of cycles. */
__global__ void wait(long long cycles, int *out)
{
    long long start = clock64();
    clock_t first = clock();
    while (clock64() - start < cycles)
        continue;
    out[0] = clock64() - start >= cycles;
    out[1] = (unsigned)clock() != (unsigned)first;
}

int main()
{
    int *out = managed<int>(2);
    wait<<<2, 2>>>(10000, out);
    RUN();
    printf("%d %d\n", out[0], out[1]);
    return 0;
}
