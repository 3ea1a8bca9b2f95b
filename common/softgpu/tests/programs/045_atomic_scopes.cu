/* SPDX-License-Identifier: MIT */
/* The _block and _system forms count as the plain ones do. */
#include "check.h"

/* Block scope on shared memory, system scope on global memory. */
__global__ void scopes(int *a, float *f)
{
    __shared__ int s_count;
    if (threadIdx.x == 0)
        s_count = 0;
    __syncthreads();
    atomicAdd_block(&s_count, 1);
    atomicAdd_system(&a[0], 1);
    atomicMax_system(&a[1], (int)(blockIdx.x * 100 + threadIdx.x));
    atomicAdd_system(f, 0.5f);
    atomicOr_block(&s_count, 0);
    __syncthreads();
    if (threadIdx.x == 0) {
        int old = s_count;
        atomicCAS_block(&s_count, old, old + 1000);
        atomicExch_system(&a[2 + blockIdx.x], s_count);
    }
}

int main()
{
    int *a = managed<int>(5);
    float *f = managed<float>(1);
    scopes<<<3, 70>>>(a, f);
    RUN();
    printf("%d %d %d %d %d %g\n", a[0], a[1], a[2], a[3], a[4], *f);
    return 0;
}
