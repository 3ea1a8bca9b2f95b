/* SPDX-License-Identifier: MIT */
/* A global object's constructor allocates and launches an endless kernel
 * before the grader's first call.  The kernel does not run; the launch fails,
 * and that is told. */
#include "hostile.h"

/* Waits for a store that never comes. */
__global__ void spin_kernel(volatile int *p)
{
    while (!*p)
        ;
}

static struct caller {
    caller()
    {
        int *p;

        cudaMalloc(&p, sizeof *p);
        cudaMemset(p, 0, sizeof *p);
        spin_kernel<<<1, 1>>>(p);
        cudaDeviceSynchronize();
    }
} caller;

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return honest(a, b, c, n);
}
