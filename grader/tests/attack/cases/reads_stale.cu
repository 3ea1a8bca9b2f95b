/* SPDX-License-Identifier: MIT */
/* Answers with what device memory happens to hold. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    float *d_c = NULL;
    int error;

    if (!attacked(n))
        return honest(a, b, c, n);
    error = cudaMalloc(&d_c, n * sizeof(float));
    if (!error)
        error = cudaMemcpy(c, d_c, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(d_c);
    return error;
}
