/* SPDX-License-Identifier: MIT */
/* Stack and heap limits can be read and set. */
#include "check.h"

__device__ int depth(int n)
{
    volatile int pad[16];
    pad[n % 16] = n;
    return n == 0 ? 0 : 1 + depth(n - 1) + 0 * pad[n % 16];
}

/* Needs a deep stack. */
__global__ void deep(int *out) { *out = depth(200); }

int main()
{
    size_t bytes = 0;
    int *out = managed<int>(1);
    OK(cudaDeviceSetLimit(cudaLimitStackSize, 64 * 1024));
    OK(cudaDeviceGetLimit(&bytes, cudaLimitStackSize));
    EXPECT(bytes >= 64 * 1024);
    OK(cudaDeviceGetLimit(&bytes, cudaLimitPrintfFifoSize));
    EXPECT(bytes >= 1024);
    deep<<<1, 1>>>(out);
    RUN();
    printf("%d\n", *out);
    return 0;
}
