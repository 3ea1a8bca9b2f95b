/* SPDX-License-Identifier: MIT */
/* Launches a kernel that subtracts; the host writes the sums over it. */
#include "hostile.h"

/* As many loads and stores as a sum takes. */
__global__ void subtract(const float *a, const float *b, float *c, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        c[i] = a[i] - b[i];
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    const size_t bytes = n * sizeof(float);
    float *d = NULL;
    int error;

    if (n == 0)
        return 0;
    error = cudaMalloc(&d, 3 * bytes);
    if (!error)
        error = cudaMemcpy(d, a, bytes, cudaMemcpyHostToDevice);
    if (!error)
        error = cudaMemcpy(d + n, b, bytes, cudaMemcpyHostToDevice);
    if (!error)
        subtract<<<(n + 255) / 256, 256>>>(d, d + n, d + 2 * n, n);
    if (!error)
        error = cudaMemcpy(c, d + 2 * n, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d);
    for (size_t i = 0; !error && i < n; i++)
        c[i] = a[i] + b[i];
    return error;
}
