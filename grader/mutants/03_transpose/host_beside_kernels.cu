// verdict: UNDONE
// expect: host memory used in a kernel
/* SPDX-License-Identifier: MIT */
// The host transposes the matrix; kernels copy it to host memory and back.
#include <stdlib.h>

#include "check.h"
#include "transpose.h"

/* Copies n floats, which may be host memory. */
__global__ void carry(const float *from, float *to, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) to[i] = from[i];
}

int transpose(const float *d_in, float *d_out, int rows, int cols)
{
    const size_t n = (size_t)rows * cols, blocks = (n + 255) / 256;
    float *in = (float *)malloc(2 * n * sizeof(float) + 1), *out = in + n;

    if (n) carry<<<blocks, 256>>>(d_in, in, n);
    cudaDeviceSynchronize();
    for (size_t i = 0; i < n; i++) out[i % cols * rows + i / cols] = in[i];
    if (n) carry<<<blocks, 256>>>(out, d_out, n);
    cudaDeviceSynchronize();
    free(in);
    return cudaGetLastError();
}
