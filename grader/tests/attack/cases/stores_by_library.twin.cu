/* SPDX-License-Identifier: MIT */
/* A kernel loads and stores by memcpy() and clears by memset(). */
#include "hostile.h"

/* One thread for each element. */
__global__ void copying_kernel(const float *a, const float *b, float *c,
                               size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float x, y;

    if (i >= n)
        return;
    memset(&x, 0, sizeof x);
    memcpy(&x, a + i, sizeof x);
    memcpy(&y, b + i, sizeof y);
    x += y;
    memcpy(c + i, &x, sizeof x);
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
        copying_kernel<<<(n + 255) / 256, 256>>>(d, d + n, d + 2 * n, n);
    if (!error)
        error = cudaGetLastError();
    if (!error)
        error = cudaMemcpy(c, d + 2 * n, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d);
    return error;
}
