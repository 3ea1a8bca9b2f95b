/* SPDX-License-Identifier: MIT */
/* After cudaDeviceReset a device has its initial state. */
#include "check.h"

__device__ int counter = 5;
/* Changes a variable that the reset must restore. */
__global__ void add() { counter += 10; }

int main()
{
    int value, *d;
    OK(cudaMalloc(&d, 4));
    add<<<1, 1>>>();
    OK(cudaMemcpyFromSymbol(&value, counter, sizeof value));
    printf("%d\n", value);
    OK(cudaDeviceReset());
    add<<<1, 1>>>();
    OK(cudaMemcpyFromSymbol(&value, counter, sizeof value));
    printf("%d\n", value);
    OK(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync));
    return 0;
}
