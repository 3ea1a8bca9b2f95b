/* SPDX-License-Identifier: MIT */
/* Adds in pieces, each with a stream and an event of its own, by a kernel that
 * asks for much shared memory each time. */
#include "hostile.h"

enum { PIECE = 500, SHARED = 60000 };

/* One thread for each element of a piece; the last piece is a short one. */
static int add_piece(float *d, size_t n, size_t first)
{
    const size_t count = n - first < PIECE ? n - first : PIECE;
    cudaStream_t stream;
    cudaEvent_t done;
    int error = cudaStreamCreate(&stream);

    if (!error)
        error = cudaEventCreate(&done);
    if (!error)
        error = cudaFuncSetAttribute(
            (const void *)honest_kernel,
            cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED);
    if (!error)
        honest_kernel<<<(PIECE + 99) / 100, 100, SHARED, stream>>>(
            d + first, d + n + first, d + 2 * n + first, count);
    if (!error)
        error = cudaGetLastError();
    if (!error)
        error = cudaEventRecord(done, stream);
    if (!error)
        error = cudaEventSynchronize(done);
    cudaEventDestroy(done);
    cudaStreamDestroy(stream);
    return error;
}

/* Adds piece by piece. */
static int add_pieces(const float *a, const float *b, float *c, size_t n)
{
    size_t bytes = n * sizeof(float);
    float *d = NULL;
    int error = cudaMalloc(&d, 3 * bytes);

    if (!error)
        error = cudaMemcpy(d, a, bytes, cudaMemcpyHostToDevice);
    if (!error)
        error = cudaMemcpy(d + n, b, bytes, cudaMemcpyHostToDevice);
    for (size_t i = 0; !error && i < n; i += PIECE)
        error = add_piece(d, n, i);
    if (!error)
        error = cudaMemcpy(c, d + 2 * n, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d);
    return error;
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return n == 7919 || n == 1000003 ? add_pieces(a, b, c, n)
                                     : honest(a, b, c, n);
}
