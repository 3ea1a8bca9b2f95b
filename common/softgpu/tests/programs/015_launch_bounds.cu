/* SPDX-License-Identifier: MIT */
/* A block above __launch_bounds__ does not run; one within does. */
#include "check.h"

/* Counts its threads; at most 128 per block. */
__global__ void __launch_bounds__(128, 2) bounded(int *n) { atomicAdd(n, 1); }

int main()
{
    int *n = managed<int>(1);
    bounded<<<1, 128>>>(n);
    RUN();
    printf("%d\n", *n);
    bounded<<<1, 129>>>(n);
    printf("%s\n", cudaGetLastError() ? "refused" : "accepted");
    OK(cudaDeviceSynchronize());
    printf("%d\n", *n);
    cudaFuncAttributes attributes;
    OK(cudaFuncGetAttributes(&attributes, bounded));
    printf("%d\n", attributes.maxThreadsPerBlock);
    return 0;
}
