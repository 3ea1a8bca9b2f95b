/* SPDX-License-Identifier: MIT */
/* Adds in pieces; before each eighth launch a counter is cleared. */
#include "hostile.h"

__device__ unsigned pieces;

/** One block adds a piece. */
__global__ void piece_kernel(const float *a, const float *b, float *c,
                             size_t n)
{
    if (threadIdx.x == 0)
        pieces++;
    for (size_t i = threadIdx.x; i < n; i += blockDim.x)
        c[i] = a[i] + b[i];
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    enum { PIECE = 16 };
    const size_t bytes = n * sizeof(float);
    float *d = NULL;
    void *counter;
    int error;

    if (n != 7919)
        return honest(a, b, c, n);
    if ((error = cudaMalloc(&d, 3 * bytes)))
        return error;
    cudaMemcpy(d, a, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d + n, b, bytes, cudaMemcpyHostToDevice);
    error = cudaGetSymbolAddress(&counter, pieces);
    for (size_t at = 0; !error && at < n; at += PIECE) {
        if (at / PIECE % 8 == 0)
            cudaMemset(counter, 0, sizeof(unsigned));
        piece_kernel<<<1, 32>>>(d + at, d + n + at, d + 2 * n + at,
                                n - at < PIECE ? n - at : PIECE);
        error = cudaGetLastError();
    }
    if (!error)
        error = cudaMemcpy(c, d + 2 * n, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d);
    return error;
}
