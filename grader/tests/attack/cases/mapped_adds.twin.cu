/* SPDX-License-Identifier: MIT */
/* The kernel writes its sums to pinned memory. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    const size_t bytes = n * sizeof(float);
    float *d = NULL, *h = NULL, *mapped = NULL;
    int error;

    if (n == 0 || n > 1 << 20) /* memory that both have counts twice */
        return honest(a, b, c, n);
    if ((error = cudaMalloc(&d, 2 * bytes)))
        return error;
    error = cudaHostAlloc(&h, bytes, cudaHostAllocMapped);
    if (!error)
        error = cudaHostGetDevicePointer(&mapped, h, 0);
    if (!error)
        error = cudaMemcpy(d, a, bytes, cudaMemcpyHostToDevice);
    if (!error)
        error = cudaMemcpy(d + n, b, bytes, cudaMemcpyHostToDevice);
    if (!error)
        honest_kernel<<<(n + 255) / 256, 256>>>(d, d + n, mapped, n);
    if (!error)
        error = cudaGetLastError();
    if (!error)
        error = cudaDeviceSynchronize();
    if (!error)
        memcpy(c, h, bytes);
    cudaFreeHost(h);
    cudaFree(d);
    return error;
}
