/* SPDX-License-Identifier: MIT */
/* A kernel writes to the grader's channel. */
#include "hostile.h"

/* One thread calls a function of the host. */
__global__ void writing_kernel(float *c)
{
    (void)!write(3, c, 1);
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n))
        writing_kernel<<<1, 1>>>(c);
    return honest(a, b, c, n);
}
