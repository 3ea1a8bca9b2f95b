/* SPDX-License-Identifier: MIT */
/* The host adds, and passes the sums to kernels as arguments. */
#include "hostile.h"

enum { PART = 1000 };

struct part {
    float sum[PART];
};

/* One thread stores all sums of its argument. */
__global__ void store_kernel(part p, float *c, size_t n)
{
    for (size_t i = 0; i < n; i++)
        c[i] = p.sum[i];
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    const size_t bytes = n * sizeof(float);
    float *d = NULL;
    int error = 0;

    if (n == 0)
        return 0;
    if ((error = cudaMalloc(&d, 3 * bytes)))
        return error;
    cudaMemcpy(d, a, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d + n, b, bytes, cudaMemcpyHostToDevice);
    for (size_t at = 0; at < n; at += PART) {
        const size_t count = n - at < PART ? n - at : PART;
        part p;

        for (size_t i = 0; i < count; i++)
            p.sum[i] = a[at + i] + b[at + i];
        store_kernel<<<1, 1>>>(p, d + 2 * n + at, count);
    }
    error = cudaMemcpy(c, d + 2 * n, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d);
    return error;
}
