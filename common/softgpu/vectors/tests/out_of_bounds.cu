/* SPDX-License-Identifier: MIT */
/* One thread reads an address that no allocation contains. */
#include <stdio.h>

/* Thread 37 takes the wrong pointer. */
__global__ void read_far(const int *in, const int *nowhere, int *out)
{
    const int *from = threadIdx.x == 37 ? nowhere : in;
    int sum = 0;
    for (int i = 0; i < 2; i++)
        sum += from[threadIdx.x + i];
    out[threadIdx.x] = sum;
}

int main()
{
    int *words;
    cudaMallocManaged(&words, 1024);
    read_far<<<1, 64>>>(words, (const int *)16, words + 64);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
