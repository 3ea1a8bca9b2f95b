/* SPDX-License-Identifier: MIT */
/* Recursion without an end overflows the stack of the thread: an error. */
// stderr: endless
#include "check.h"

__device__ int down(volatile int *a, int n)
{
    volatile int pad[64];
    pad[n % 64] = a[0];
    return down(a, n + 1) + pad[(n + 1) % 64];
}

/* Calls a function that always calls itself. */
__global__ void endless(int *a) { a[1] = down(a, 0); }

int main()
{
    int *a = managed<int>(2);
    endless<<<1, 1>>>(a);
    cudaError_t error = cudaDeviceSynchronize();
    EXPECT(error == cudaErrorIllegalAddress || error == cudaErrorLaunchFailure
           || error == cudaErrorHardwareStackError);
    printf("%s\n", error == cudaSuccess ? "survived" : "failed");
    return 0;
}
