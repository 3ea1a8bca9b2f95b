/* SPDX-License-Identifier: MIT */
/* Copies rows of 100 elements one by one to rows with a pitch. */
#include "hostile.h"

enum { WIDTH = 100, PITCH = 128 };

/* A block adds a row. */
__global__ void row_kernel(const float *a, const float *b, float *c, size_t n)
{
    const size_t i = blockIdx.x * WIDTH + threadIdx.x;

    if (i < n)
        c[i] = a[blockIdx.x * PITCH + threadIdx.x]
               + b[blockIdx.x * PITCH + threadIdx.x];
}

/* The sums, on the device: d has room for 3 n floats. */
static int add(const float *a, const float *b, float *d, size_t n)
{
    const size_t rows = (n + WIDTH - 1) / WIDTH;
    float *from[2] = {(float *)a, (float *)b}, *d_rows = NULL;
    int error = cudaMalloc(&d_rows, 2 * rows * PITCH * sizeof *d);

    for (size_t i = 0; !error && i < 2 * rows; i++) {
        const size_t at = i / 2 * WIDTH;
        const size_t bytes = (n - at < WIDTH ? n - at : WIDTH) * sizeof *d;

        error = cudaMemcpy2D(d_rows + (i % 2 * rows + i / 2) * PITCH,
                             PITCH * sizeof *d, from[i % 2] + at, bytes, bytes,
                             1, cudaMemcpyHostToDevice);
    }
    if (!error)
        row_kernel<<<rows, WIDTH>>>(d_rows, d_rows + rows * PITCH, d + 2 * n,
                                    n);
    if (!error)
        error = cudaDeviceSynchronize();
    cudaFree(d_rows);
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
