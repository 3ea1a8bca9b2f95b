/* SPDX-License-Identifier: MIT */
/* atomicAdd on float and double, in global and in shared memory. */
#include "check.h"

/* Adds a block's sum in shared memory to the whole, and two sums directly. */
__global__ void sum(float *f, double *d)
{
    __shared__ float s_sum;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0)
        s_sum = 0;
    __syncthreads();
    atomicAdd(&s_sum, 0.25f);
    atomicAdd(&d[0], i * 0.5);
    atomicAdd(&f[1], -1.0f);
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(&f[0], s_sum);
}

int main()
{
    float *f = managed<float>(2);
    double *d = managed<double>(1);
    sum<<<10, 100>>>(f, d);
    RUN();
    printf("%g %g %g\n", f[0], f[1], d[0]);
    return 0;
}
