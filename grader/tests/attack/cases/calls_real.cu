/* SPDX-License-Identifier: MIT */
/* Builds plain, but not instrumented: it calls what --wrap makes. */
#include "hostile.h"

extern "C" cudaError_t __real_cudaMemcpy(void *, const void *, size_t,
                                         cudaMemcpyKind);

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (n == 12345)
        return __real_cudaMemcpy(c, a, n, cudaMemcpyHostToHost);
    return honest(a, b, c, n);
}
