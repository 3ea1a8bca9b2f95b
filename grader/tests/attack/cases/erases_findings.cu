/* SPDX-License-Identifier: MIT */
/* A kernel stores to the runtime's own variables before the report is written:
 * without standard error there is none.  The number of findings could be set to
 * 0 in the same way. */
#include "hostile.h"

/* One thread for each element; the first stores beside them. */
__global__ void storing_kernel(const float *a, const float *b, float *c,
                               size_t n, FILE *volatile *at)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        c[i] = a[i] + b[i];
    if (i == 0)
        *at = NULL; // here
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
        storing_kernel<<<(n + 255) / 256, 256>>>(d, d + n, d + 2 * n, n,
                                                 &stderr);
    if (!error)
        error = cudaGetLastError();
    if (!error)
        error = cudaMemcpy(c, d + 2 * n, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d);
    return error;
}
