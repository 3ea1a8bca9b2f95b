// verdict: WRONG
// expect: slides down it leaves too late
// test: small
/* SPDX-License-Identifier: MIT */
/* A sum slides down a column of pixels: its first row leaves one step late. */
#include "blur.h"
#include "grid.h"

/** Sum of a row's window; pixels outside the row add nothing. */
__device__ static unsigned row_sum(const unsigned char *row, int x, int width,
                                   int channels, int radius)
{
    unsigned sum = 0;

    for (int u = max(x - radius, 0); u <= min(x + radius, width - 1); u++)
        sum += row[u * channels];
    return sum;
}

/** A thread owns a column of bytes.  Grid: one thread for each byte of a row,
 *  block 128. */
__global__ void slide(const unsigned char *in, unsigned char *out, int width,
                      int height, int channels, int radius)
{
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const size_t pitch = (size_t)width * channels;
    const int x = col / channels;
    unsigned sum = 0;

    if (col >= width * channels) return;
    const unsigned char *first = in + col % channels;
    for (int y = 0; y < min(radius, height); y++)
        sum += row_sum(first + y * pitch, x, width, channels, radius);
    for (int y = 0; y < height; y++) {
        if (y + radius < height)
            sum += row_sum(first + (y + radius) * pitch, x, width, channels,
                           radius);
        unsigned across = min(x + radius, width - 1) - max(x - radius, 0) + 1;
        unsigned down = min(y + radius, height - 1) - max(y - radius, 0) + 1;
        unsigned count = across * down;
        out[y * pitch + col] = (2 * sum + count) / (2 * count);
        if (y > radius)
            sum -= row_sum(first + (y - radius - 1) * pitch, x, width,
                           channels, radius);
    }
}

int blur(const unsigned char *in, unsigned char *out, int width, int height,
         int channels, int radius)
{
    if (width < 0 || height < 0 || channels < 1 || channels > 4
        || channels == 2 || radius < 0 || radius > BLUR_RADIUS_MAX)
        return cudaErrorInvalidValue;
    if (width == 0 || height == 0) return cudaSuccess;
    const size_t bytes = (size_t)width * height * channels;
    unsigned char *d_in = NULL, *d_out = NULL;
    cudaError_t err = CUDA_CHECK(cudaMalloc((void **)&d_in, bytes));
    if (!err) err = CUDA_CHECK(cudaMalloc((void **)&d_out, bytes));
    if (!err)
        err = CUDA_CHECK(cudaMemcpy(d_in, in, bytes, cudaMemcpyHostToDevice));
    if (!err) {
        slide<<<(unsigned)ceil_div(width * channels, 128), 128>>>(
            d_in, d_out, width, height, channels, radius);
        err = CUDA_CHECK(cudaGetLastError());
    }
    if (!err)
        err = CUDA_CHECK(
            cudaMemcpy(out, d_out, bytes, cudaMemcpyDeviceToHost));
    cudaFree(d_in);
    cudaFree(d_out);
    return err;
}
