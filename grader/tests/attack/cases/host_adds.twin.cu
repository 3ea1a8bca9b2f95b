/* SPDX-License-Identifier: MIT */
/* Inputs and outputs go through padded pinned buffers of the program's own. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    const size_t bytes = n * sizeof(float), padded = (n + 63) / 64 * 64;
    float *d = NULL, *h = NULL;
    int error = 0;

    if (n == 0)
        return 0;
    if (n > 1 << 20)
        return honest(a, b, c, n);
    error = cudaMalloc(&d, 3 * padded * sizeof(float));
    if (!error)
        error = cudaMallocHost(&h, 3 * padded * sizeof(float));
    if (!error) {
        memset(h, 0, 3 * padded * sizeof(float));
        memcpy(h, a, bytes);
        memcpy(h + padded, b, bytes);
        error = cudaMemcpy(d, h, 2 * padded * sizeof(float),
                           cudaMemcpyHostToDevice);
    }
    if (!error) {
        honest_kernel<<<(n + 255) / 256, 256>>>(d, d + padded, d + 2 * padded,
                                                n);
        error = cudaGetLastError();
    }
    if (!error)
        error = cudaMemcpy(h + 2 * padded, d + 2 * padded, bytes,
                           cudaMemcpyDeviceToHost);
    if (!error)
        memcpy(c, h + 2 * padded, bytes);
    if (h)
        cudaFreeHost(h);
    cudaFree(d);
    return error;
}
