/* SPDX-License-Identifier: MIT */
/* The inputs pass through a device variable. */
#include "hostile.h"

enum { PART = 1 << 18 };

__device__ float part[2 * PART];

/* A thread adds one element of the two halves of a variable. */
__global__ void add_part(float *c, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        c[i] = part[i] + part[PART + i];
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    const size_t bytes = n * sizeof(float);
    float *d = NULL;
    int error;

    if (n == 0)
        return 0;
    error = cudaMalloc(&d, bytes);
    for (size_t at = 0; !error && at < n; at += PART) {
        const size_t count = n - at < PART ? n - at : PART;

        error = cudaMemcpyToSymbol(part, a + at, count * sizeof(float));
        if (!error)
            error = cudaMemcpyToSymbol(part, b + at, count * sizeof(float),
                                       PART * sizeof(float));
        if (!error)
            add_part<<<(count + 255) / 256, 256>>>(d + at, count);
        if (!error)
            error = cudaGetLastError();
    }
    if (!error)
        error = cudaMemcpy(c, d, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d);
    return error;
}
