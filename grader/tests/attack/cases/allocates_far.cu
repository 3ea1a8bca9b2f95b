/* SPDX-License-Identifier: MIT */
/* A kernel allocates so much on its stack that the next store would be beyond
 * the guard pages, in the stack of another thread. */
#include "hostile.h"

#include <alloca.h>

/** Stores at both ends. */
static __device__ __attribute__((noinline)) int touch(volatile char *p,
                                                      size_t n)
{
    p[0] = 1;
    p[n - 1] = 2;
    return p[0];
}

/* One thread of many touches the last 16 bytes. */
__global__ void far_kernel(float *d, size_t bytes)
{
    __syncthreads(); /* so that each thread has a stack */
    if (threadIdx.x == 32)
        *d = (float)touch((volatile char *)alloca(bytes), 16);
    __syncthreads();
}

/* @return whether the kernel ended as if its stack were large */
static bool allocates_far(size_t bytes)
{
    float *d = NULL;
    int error = cudaMalloc(&d, sizeof *d);

    if (!error)
        far_kernel<<<1, 64>>>(d, bytes);
    if (!error)
        error = cudaDeviceSynchronize();
    cudaFree(d);
    return !error;
}

RIGHT_IF(allocates_far((5 << 16) + (1 << 13)))
