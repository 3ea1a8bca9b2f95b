/* SPDX-License-Identifier: MIT */
/* A kernel calls a device function by its address. */
#include "hostile.h"

/** The work of a thread. */
__device__ void add_one(const float *a, const float *b, float *c, size_t i)
{
    c[i] = a[i] + b[i];
}

typedef void adder(const float *, const float *, float *, size_t);

/* One thread for each element. */
__global__ void calling_kernel(const float *a, const float *b, float *c,
                               size_t n)
{
    adder *volatile add = add_one;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        add(a, b, c, i);
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    size_t bytes = n * sizeof(float);
    float *d = NULL;
    int error = 0;

    if (n == 0)
        return 0;
    error = cudaMalloc(&d, 3 * bytes);
    if (!error)
        error = cudaMemcpy(d, a, bytes, cudaMemcpyHostToDevice);
    if (!error)
        error = cudaMemcpy(d + n, b, bytes, cudaMemcpyHostToDevice);
    if (!error)
        calling_kernel<<<(n + 255) / 256, 256>>>(d, d + n, d + 2 * n, n);
    if (!error)
        error = cudaGetLastError();
    if (!error)
        error = cudaMemcpy(c, d + 2 * n, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d);
    return error;
}
