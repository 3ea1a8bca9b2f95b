/* SPDX-License-Identifier: MIT */
/* Sets variables of the device before each launch. */
#include "hostile.h"

enum { PIECE = 128 };

/* Where a launch works. */
struct place {
    const float *a, *b;
    float *c;
    size_t n;
};

__constant__ place current;

/* A thread adds two elements of the place. */
__global__ void place_kernel()
{
    if (threadIdx.x < current.n)
        current.c[threadIdx.x] =
            current.a[threadIdx.x] + current.b[threadIdx.x];
}

/* The sums, on the device: d has room for 3 n floats. */
static int add(const float *a, const float *b, float *d, size_t n)
{
    int error = cudaMemcpy(d, a, n * sizeof *a, cudaMemcpyHostToDevice);

    if (!error)
        error = cudaMemcpy(d + n, b, n * sizeof *b, cudaMemcpyHostToDevice);
    for (size_t at = 0; !error && at < n; at += PIECE) {
        const place p = {d + at, d + n + at, d + 2 * n + at,
                         n - at < PIECE ? n - at : PIECE};

        error = cudaMemcpyToSymbol(current, &p, sizeof p);
        if (!error)
            place_kernel<<<1, PIECE>>>();
    }
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
