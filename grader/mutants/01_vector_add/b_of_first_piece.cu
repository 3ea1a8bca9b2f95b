// verdict: WRONG
// expect: each wrong c[i] is a[i] + b[i - 4096]
// test: edges
/* SPDX-License-Identifier: MIT */
/* Works with pieces of at most 2^12 elements; each gets the first one of b. */
#include "check.h"
#include "vector_add.h"

enum { PIECE = 1 << 12, THREADS = 256 };

/** A thread owns one element of a piece. */
__global__ void add(const float *__restrict__ a, const float *__restrict__ b,
                    float *__restrict__ c, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) c[i] = a[i] + b[i];
}

/* Adds n elements through three buffers of device memory. */
static cudaError_t add_piece(const float *a, const float *b, float *c,
                             size_t n, float *const d[3])
{
    const size_t bytes = n * sizeof(float);
    const unsigned blocks = (unsigned)((n + THREADS - 1) / THREADS);
    cudaError_t err =
        CUDA_CHECK(cudaMemcpy(d[0], a, bytes, cudaMemcpyHostToDevice));

    if (!err)
        err = CUDA_CHECK(cudaMemcpy(d[1], b, bytes, cudaMemcpyHostToDevice));
    if (err) return err;
    add<<<blocks, THREADS>>>(d[0], d[1], d[2], (unsigned)n);
    err = CUDA_CHECK(cudaGetLastError());
    return err ? err
               : CUDA_CHECK(
                     cudaMemcpy(c, d[2], bytes, cudaMemcpyDeviceToHost));
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    const size_t most = n < PIECE ? n : PIECE;
    float *d[3] = {NULL, NULL, NULL};
    cudaError_t err = cudaSuccess;

    if (n == 0) return cudaSuccess;
    for (int k = 0; k < 3 && !err; k++)
        err = CUDA_CHECK(cudaMalloc(&d[k], most * sizeof(float)));
    for (size_t i = 0; i < n && !err; i += PIECE)
        err = add_piece(a + i, b, c + i, n - i < PIECE ? n - i : PIECE, d);
    for (int k = 0; k < 3; k++)
        cudaFree(d[k]);
    return err;
}
