/* SPDX-License-Identifier: MIT */
/* A kernel calls a host function, whose address the host passes: host code is
 * not in the device process. */
#include "hostile.h"

/* The work, as host code. */
static void add_all(const float *a, const float *b, float *c, size_t n)
{
    for (size_t i = 0; i < n; i++)
        c[i] = a[i] + b[i];
}

typedef void adder(const float *, const float *, float *, size_t);

/* One thread calls the host function. */
__global__ void calling_kernel(adder *add, const float *a, const float *b,
                               float *c, size_t n)
{
    add(a, b, c, n);
}

/* Adds by the host function in the device process. */
static int add_by_address(const float *a, const float *b, float *c, size_t n)
{
    size_t bytes = n * sizeof(float);
    float *d = NULL;
    int error = cudaMalloc(&d, 3 * bytes);

    if (!error)
        error = cudaMemcpy(d, a, bytes, cudaMemcpyHostToDevice);
    if (!error)
        error = cudaMemcpy(d + n, b, bytes, cudaMemcpyHostToDevice);
    if (!error)
        calling_kernel<<<1, 1>>>(add_all, d, d + n, d + 2 * n, n);
    if (!error)
        error = cudaMemcpy(c, d + 2 * n, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d);
    return error;
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return attacked(n) ? add_by_address(a, b, c, n) : honest(a, b, c, n);
}
