/* SPDX-License-Identifier: MIT */
// Mentions softgpu in a comment, and tests for the compiler.
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
#ifdef __CUDACC__
    return honest(a, b, c, n);
#else
    return honest(a, b, c, n) + 0;
#endif
}
