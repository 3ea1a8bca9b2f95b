// verdict: WRONG
// expect: from the device to the host
/* SPDX-License-Identifier: MIT */
// The host transposes the matrix between two copies.
#include <stdlib.h>

#include "check.h"
#include "transpose.h"

int transpose(const float *d_in, float *d_out, int rows, int cols)
{
    const size_t n = (size_t)rows * cols, bytes = n * sizeof(float);
    float *in = (float *)malloc(2 * bytes + 1), *out = in + n;

    cudaMemcpy(in, d_in, bytes, cudaMemcpyDeviceToHost);
    for (size_t i = 0; i < n; i++) out[i % cols * rows + i / cols] = in[i];
    cudaMemcpy(d_out, out, bytes, cudaMemcpyHostToDevice);
    free(in);
    return cudaGetLastError();
}
