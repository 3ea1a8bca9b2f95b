/* SPDX-License-Identifier: MIT */
/* Passes its pointers in a struct, to constant memory. */
#include "hostile.h"

struct arguments {
    const float *a, *b;
    float *c;
    size_t n;
};

__constant__ arguments constant;

/* A thread adds one element; the arguments are in constant memory. */
__global__ void constant_kernel()
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < constant.n)
        constant.c[i] = constant.a[i] + constant.b[i];
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    const size_t bytes = n * sizeof(float);
    float *d = NULL;
    int error;

    if (n == 0)
        return 0;
    if ((error = cudaMalloc(&d, 3 * bytes)))
        return error;
    const arguments h = {d, d + n, d + 2 * n, n};
    error = cudaMemcpyToSymbol(constant, &h, sizeof h);
    if (!error)
        error = cudaMemcpy(d, a, bytes, cudaMemcpyHostToDevice);
    if (!error)
        error = cudaMemcpy(d + n, b, bytes, cudaMemcpyHostToDevice);
    constant_kernel<<<(n + 255) / 256, 256>>>();
    if (!error)
        error = cudaGetLastError();
    if (!error)
        error = cudaMemcpy(c, d + 2 * n, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d);
    return error;
}
