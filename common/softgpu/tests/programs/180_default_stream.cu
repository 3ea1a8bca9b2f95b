/* SPDX-License-Identifier: MIT */
/* The default stream and blocking streams wait for each other. */
#include "check.h"

/* Appends a digit, so that the order shows. */
__global__ void append(int *a, int digit) { *a = *a * 10 + digit; }

int main()
{
    int *a = managed<int>(1), low, high;
    cudaStream_t one, two;
    OK(cudaDeviceGetStreamPriorityRange(&low, &high));
    OK(cudaStreamCreate(&one));
    OK(cudaStreamCreateWithPriority(&two, cudaStreamDefault, high));
    append<<<1, 1, 0, one>>>(a, 1);
    append<<<1, 1>>>(a, 2);
    append<<<1, 1, 0, two>>>(a, 3);
    append<<<1, 1, 0, cudaStreamLegacy>>>(a, 4);
    append<<<1, 1, 0, one>>>(a, 5);
    RUN();
    printf("%d %d\n", *a, low >= high);
    return 0;
}
