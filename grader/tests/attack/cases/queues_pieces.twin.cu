/* SPDX-License-Identifier: MIT */
/* Each call makes streams and events of its own; the pieces go round the
 * streams. */
#include "hostile.h"

enum { STREAMS = 3, PIECE = 48 };

/* A piece of both inputs up, its sums down. */
static int add_piece(float *d, const float *a, const float *b, float *c,
                     size_t n, cudaStream_t stream)
{
    const size_t bytes = n * sizeof(float);
    const cudaMemcpyKind up = cudaMemcpyHostToDevice;
    float *d_b = d + PIECE, *d_c = d + 2 * PIECE;
    int error = cudaMemcpyAsync(d, a, bytes, up, stream);

    if (!error)
        error = cudaMemcpyAsync(d_b, b, bytes, up, stream);
    if (!error)
        honest_kernel<<<1, 64, 0, stream>>>(d, d_b, d_c, n);
    if (!error)
        error = cudaGetLastError();
    if (!error)
        error = cudaMemcpyAsync(c, d_c, bytes, cudaMemcpyDeviceToHost, stream);
    return error;
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    cudaStream_t stream[STREAMS] = {};
    cudaEvent_t event[STREAMS] = {};
    float *d = NULL;
    int error;

    if (n == 0 || n > 2000)
        return honest(a, b, c, n);
    error = cudaMalloc(&d, STREAMS * 3 * PIECE * sizeof(float));
    for (int s = 0; s < STREAMS && !error; s++) {
        error = cudaStreamCreate(&stream[s]);
        if (!error)
            error = cudaEventCreate(&event[s]);
    }
    for (size_t at = 0, i = 0; at < n && !error; at += PIECE, i++)
        error = add_piece(d + i % STREAMS * 3 * PIECE, a + at, b + at, c + at,
                          n - at < PIECE ? n - at : PIECE,
                          stream[i % STREAMS]);
    for (int s = 0; s < STREAMS; s++) {
        if (!error)
            error = cudaEventRecord(event[s], stream[s]);
        if (!error)
            error = cudaEventSynchronize(event[s]);
        if (event[s])
            cudaEventDestroy(event[s]);
        if (stream[s])
            cudaStreamDestroy(stream[s]);
    }
    cudaFree(d);
    return error;
}
