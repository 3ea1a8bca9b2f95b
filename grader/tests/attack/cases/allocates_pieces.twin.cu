/* SPDX-License-Identifier: MIT */
/* Adds in pieces, each in memory of its own, all of which is freed at the
 * end. */
#include "hostile.h"

enum { PIECE = 64, MOST = 7919 / PIECE + 1 };

static int add_piece(const float *a, const float *b, float *c, float **d,
                     size_t n)
{
    const size_t bytes = n * sizeof(float);
    int error = cudaMalloc(d, 3 * bytes);

    if (error)
        return error;
    cudaMemcpy(*d, a, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(*d + n, b, bytes, cudaMemcpyHostToDevice);
    honest_kernel<<<1, PIECE>>>(*d, *d + n, *d + 2 * n, n);
    return cudaMemcpy(c, *d + 2 * n, bytes, cudaMemcpyDeviceToHost);
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    float *d[MOST] = {NULL};
    int error = 0;

    if (n != 7919)
        return honest(a, b, c, n);
    for (size_t at = 0; !error && at < n; at += PIECE)
        error = add_piece(a + at, b + at, c + at, &d[at / PIECE],
                          n - at < PIECE ? n - at : PIECE);
    for (size_t i = 0; i < MOST; i++)
        cudaFree(d[i]);
    return error;
}
