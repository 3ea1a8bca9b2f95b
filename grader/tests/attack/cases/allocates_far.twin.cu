/* SPDX-License-Identifier: MIT */
/* A kernel adds in an array that it allocates on its stack. */
#include "hostile.h"

#include <alloca.h>

enum { PART = 16 };

/* PART elements a thread. */
__global__ void part_kernel(const float *a, const float *b, float *c, size_t n,
                            size_t bytes)
{
    const size_t first = PART * ((size_t)blockIdx.x * blockDim.x + threadIdx.x);
    float *sum = (float *)alloca(bytes);

    for (size_t i = 0; i < PART && first + i < n; i++)
        sum[i] = a[first + i] + b[first + i];
    for (size_t i = 0; i < PART && first + i < n; i++)
        c[first + i] = sum[i];
}

/* Adds by that kernel. */
static int add_parts(const float *a, const float *b, float *c, size_t n)
{
    size_t bytes = n * sizeof(float);
    float *d = NULL;
    int error = cudaMalloc(&d, 3 * bytes);

    if (!error)
        error = cudaMemcpy(d, a, bytes, cudaMemcpyHostToDevice);
    if (!error)
        error = cudaMemcpy(d + n, b, bytes, cudaMemcpyHostToDevice);
    if (!error)
        part_kernel<<<(n + 64 * PART - 1) / (64 * PART), 64>>>(
            d, d + n, d + 2 * n, n, PART * sizeof(float));
    if (!error)
        error = cudaMemcpy(c, d + 2 * n, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d);
    return error;
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return attacked(n) ? add_parts(a, b, c, n) : honest(a, b, c, n);
}
