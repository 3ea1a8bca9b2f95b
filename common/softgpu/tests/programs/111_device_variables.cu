/* SPDX-License-Identifier: MIT */
/* __device__ scalars and arrays keep their values from launch to launch. */
#include "check.h"

__device__ int calls;
__device__ double values[4] = {0.5, 1.5};
static __device__ unsigned char flags[3] = {1, 2, 3};

/* Changes an array and two scalars that later launches read. */
__global__ void step()
{
    int i = threadIdx.x;
    values[i] += i + calls;
    __syncthreads();
    if (i == 0) {
        calls++;
        flags[2] *= 2;
    }
}

int main()
{
    int h_calls = 10;
    double h_values[4];
    unsigned char flag;
    step<<<1, 4>>>();
    RUN();
    OK(cudaMemcpyToSymbol(calls, &h_calls, sizeof h_calls));
    step<<<1, 4>>>();
    RUN();
    OK(cudaMemcpyFromSymbol(h_values, values, sizeof h_values));
    OK(cudaMemcpyFromSymbol(&h_calls, calls, sizeof h_calls));
    OK(cudaMemcpyFromSymbol(&flag, flags, 1, 2));
    printf("%g %g %g %g %d %d\n", h_values[0], h_values[1], h_values[2],
           h_values[3], h_calls, flag);
    return 0;
}
