/* SPDX-License-Identifier: MIT */
/* The last block to finish adds the partial sums (__threadfence). */
#include "check.h"

__device__ unsigned finished;

/* A block adds its elements; the last one to finish adds all blocks' sums. */
__global__ void sum(const int *a, volatile int *partial, int *out)
{
    __shared__ int s_sum;
    __shared__ bool s_last;
    if (threadIdx.x == 0)
        s_sum = 0;
    __syncthreads();
    atomicAdd(&s_sum, a[blockIdx.x * blockDim.x + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = s_sum;
        __threadfence();
        s_last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (s_last && threadIdx.x == 0) {
        int all = 0;
        for (unsigned b = 0; b < gridDim.x; b++)
            all += partial[b];
        *out += all;
    }
}

int main()
{
    int n = 2048, *a = managed<int>(n), *partial = managed<int>(16);
    int *out = managed<int>(1);
    for (int i = 0; i < n; i++)
        a[i] = i;
    sum<<<16, 128>>>(a, partial, out);
    RUN();
    printf("%d\n", *out);
    sum<<<16, 128>>>(a, partial, out);
    RUN();
    printf("%d\n", *out);
    return 0;
}
