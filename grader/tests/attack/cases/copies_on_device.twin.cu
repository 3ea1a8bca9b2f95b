/* SPDX-License-Identifier: MIT */
/* Copies pieces of both inputs to one buffer, and from there to their place. */
#include "hostile.h"

enum { PIECE = 64 };

/* The sums, on the device: d has room for 3 n floats. */
static int add(const float *a, const float *b, float *d, size_t n)
{
    int error = cudaMemset(d, 0, 2 * n * sizeof *d);

    for (size_t at = 0; !error && at < n; at += PIECE) {
        const size_t left = n - at < PIECE ? n - at : PIECE;
        const size_t bytes = left * sizeof *d;
        float *piece = d + 2 * n; /* the sums come later */

        error = cudaMemcpy(piece, a + at, bytes, cudaMemcpyHostToDevice);
        if (!error)
            error = cudaMemcpy(d + at, piece, bytes, cudaMemcpyDeviceToDevice);
        if (!error)
            error = cudaMemcpy(piece, b + at, bytes, cudaMemcpyHostToDevice);
        if (!error)
            error = cudaMemcpy(d + n + at, piece, bytes,
                               cudaMemcpyDeviceToDevice);
    }
    if (!error)
        honest_kernel<<<(n + 255) / 256, 256>>>(d, d + n, d + 2 * n, n);
    return error;
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    const size_t bytes = n * sizeof(float);
    float *d = NULL;
    int error;

    if (n == 0 || n > 7919)
        return honest(a, b, c, n);
    error = cudaMalloc(&d, 3 * bytes);
    if (!error)
        error = add(a, b, d, n);
    if (!error)
        error = cudaGetLastError();
    if (!error)
        error = cudaMemcpy(c, d + 2 * n, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d);
    return error;
}
