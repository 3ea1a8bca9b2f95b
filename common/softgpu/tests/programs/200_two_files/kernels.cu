/* SPDX-License-Identifier: MIT */
/* The kernels; one is static and has the name of another file's function. */
#include "check.h"

__global__ void scale(float *a, float by) { a[threadIdx.x] *= by; }

static __global__ void offset(float *a, float by)
{
    __shared__ float s_by;
    if (threadIdx.x == 0)
        s_by = by;
    __syncthreads();
    a[threadIdx.x] += s_by;
}

void launch_offset(float *a, int n, float by)
{
    offset<<<1, n>>>(a, by);
}
