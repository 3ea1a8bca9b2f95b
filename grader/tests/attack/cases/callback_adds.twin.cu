/* SPDX-License-Identifier: MIT */
/* A host function of the stream counts the calls. */
#include "hostile.h"

static void count(void *calls)
{
    ++*(int *)calls;
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    int calls = 0, error = honest(a, b, c, n);

    if (!error)
        error = cudaLaunchHostFunc(0, count, &calls);
    if (!error)
        error = cudaDeviceSynchronize();
    return error ? error : calls != 1;
}
