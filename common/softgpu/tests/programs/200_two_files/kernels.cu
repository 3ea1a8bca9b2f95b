/* SPDX-License-Identifier: MIT */
/* The kernels; one is static and has the name of another file's function. */
#include "check.h"

/* External: called from the other file through a function. */
__global__ void scale(float *a, float by) { a[threadIdx.x] *= by; }

/* Static: the other file's function of this name is another one. */
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
