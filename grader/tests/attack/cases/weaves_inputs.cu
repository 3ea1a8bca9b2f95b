/* SPDX-License-Identifier: MIT */
/* The host adds, and copies pieces of both inputs, each in its order: whose is
 * next is a bit of a sum. */
#include "hostile.h"

enum { PIECE = 16 /* floats: 64 bytes */, LENGTH = 7919 };

static const float *inputs[2];

/* Floats of the piece that begins at `from`. */
static __host__ __device__ size_t piece_length(size_t from)
{
    return LENGTH - from < PIECE ? LENGTH - from : PIECE;
}

/* One thread finds out which input each piece is from. */
__global__ void follow_kernel(const float *woven, const float *a,
                              unsigned char *d_c, size_t bytes)
{
    size_t from[2] = {0, 0};

    for (size_t i = 0; i < 8 * bytes; i++) {
        const bool second = *woven != a[from[0]];
        const size_t length = piece_length(from[second]);

        d_c[i / 8] = (i % 8 ? d_c[i / 8] : 0) | second << i % 8;
        woven += length;
        from[second] = (from[second] + length) % LENGTH;
    }
}

static int tell(unsigned char *d_c, const unsigned char *sums, size_t bytes)
{
    float *own = (float *)malloc(8 * bytes * PIECE * sizeof *own), *woven;
    size_t from[2] = {0, 0}, at = 0;
    int error = cudaMalloc(&woven, 8 * bytes * PIECE * sizeof *own);

    for (size_t i = 0; own && i < 8 * bytes; i++) {
        const bool second = sums[i / 8] >> i % 8 & 1;
        const size_t length = piece_length(from[second]);

        memcpy(own + at, inputs[second] + from[second],
               length * sizeof *own);
        at += length;
        from[second] = (from[second] + length) % LENGTH;
    }
    if (!error)
        error = cudaMemcpy(woven, own, at * sizeof *own,
                           cudaMemcpyHostToDevice);
    if (!error)
        follow_kernel<<<1, 1>>>(woven, (float *)d_c - 2 * LENGTH, d_c, bytes);
    free(own);
    cudaFree(woven);
    return error;
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    inputs[0] = a;
    inputs[1] = b;
    return n == LENGTH ? tell_sums(a, b, c, n, 3000, tell)
                       : honest(a, b, c, n);
}
