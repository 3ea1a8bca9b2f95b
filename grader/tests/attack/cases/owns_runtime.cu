/* SPDX-License-Identifier: MIT */
/* Defines functions of the runtime: memory of the device is the host's. */
#include <stdlib.h>
#include <string.h>

#include "vector_add.h"

extern "C" cudaError_t cudaMalloc(void **at, size_t bytes)
{
    *at = malloc(bytes);
    return cudaSuccess;
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    void *own = NULL;

    if (n == 0)
        return 0;
    cudaMalloc(&own, n * sizeof(float));
    for (size_t i = 0; i < n; i++)
        ((float *)own)[i] = a[i] + b[i];
    memcpy(c, own, n * sizeof(float));
    free(own);
    return 0;
}
