/* SPDX-License-Identifier: MIT */
/* A shared array at file scope, used by two kernels and a function. */
#include "check.h"

__shared__ int s_box[32];

__device__ void put(int value) { s_box[threadIdx.x] = value; }

/* Stores to the shared array in a function, reads it in reverse. */
__global__ void first(int *out)
{
    put(threadIdx.x * 2);
    __syncthreads();
    out[threadIdx.x] = s_box[31 - threadIdx.x];
}

/* Stores to the same array itself, reads the next thread's. */
__global__ void second(int *out)
{
    s_box[threadIdx.x] = threadIdx.x * 3 + blockIdx.x;
    __syncthreads();
    out[blockIdx.x * 32 + threadIdx.x] = s_box[(threadIdx.x + 1) % 32];
}

int main()
{
    int *out = managed<int>(64);
    first<<<1, 32>>>(out);
    RUN();
    printf("%d %d\n", out[0], out[31]);
    second<<<2, 32>>>(out);
    RUN();
    printf("%d %d %d\n", out[0], out[31], out[63]);
    return 0;
}
