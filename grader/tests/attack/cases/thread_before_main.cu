/* SPDX-License-Identifier: MIT */
/* A global object's constructor starts a thread, which allocates and launches,
 * and waits for it.  The kernel does not run; the launch fails, and that is
 * told. */
#include "hostile.h"

#include <thread>
/** Write through a pointer. */
__global__ void set_kernel(int *p)
{
    *p = 1;
}

static void launch_early()
{
    int *p;

    cudaMalloc(&p, sizeof *p);
    cudaMemset(p, 0, sizeof *p);
    set_kernel<<<1, 1>>>(p);
    cudaDeviceSynchronize();
    cudaFree(p);
}

static struct caller {
    caller()
    {
        std::thread(launch_early).join();
    }
} caller;

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return honest(a, b, c, n);
}
