/* SPDX-License-Identifier: MIT */
/* Calls a library in place of a kernel. */
#include "hostile.h"

#include <cublas_v2.h>

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    cublasHandle_t handle;
    const float one = 1;

    if (!attacked(n))
        return honest(a, b, c, n);
    cublasCreate(&handle);
    memcpy(c, b, n * sizeof(float));
    cublasSaxpy(handle, (int)n, &one, a, 1, c, 1);
    return cublasDestroy(handle);
}
