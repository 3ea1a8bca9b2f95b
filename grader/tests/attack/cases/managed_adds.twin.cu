/* SPDX-License-Identifier: MIT */
/* The kernel adds in managed memory. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    const size_t bytes = n * sizeof(float);
    float *m = NULL;
    int error;

    if (n == 0 || n > 1 << 20) /* memory that both have counts twice */
        return honest(a, b, c, n);
    if ((error = cudaMallocManaged(&m, 3 * bytes)))
        return error;
    memcpy(m, a, bytes);
    memcpy(m + n, b, bytes);
    honest_kernel<<<(n + 255) / 256, 256>>>(m, m + n, m + 2 * n, n);
    error = cudaGetLastError();
    if (!error)
        error = cudaDeviceSynchronize();
    memcpy(c, m + 2 * n, bytes);
    cudaFree(m);
    return error;
}
