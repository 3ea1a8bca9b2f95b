// verdict: WRONG
// expect: is `* channels` missing in the index of the store?
// test: radii
/* SPDX-License-Identifier: MIT */
/** @file
 *  The bytes of a pixel are looked for where its number is, in the load and in
 *  the store. */
#include "blur.h"
#include "grid.h"

/** A thread owns a pixel.  Block 16 by 16. */
__global__ void blur_pixels(const unsigned char *in, unsigned char *out, int w,
                            int h, int channels, int r)
{
    const int x = blockIdx.x * 16 + threadIdx.x;
    const int y = (blockIdx.z * gridDim.y + blockIdx.y) * 16 + threadIdx.y;

    if (x >= w || y >= h) return;
    for (int c = 0; c < channels; c++) {
        unsigned sum = 0, count = 0;

        for (int v = max(y - r, 0); v <= min(y + r, h - 1); v++)
            for (int u = max(x - r, 0); u <= min(x + r, w - 1); u++) {
                sum += in[(size_t)v * w + u + c];
                count++;
            }
        out[(size_t)y * w + x + c] = (2 * sum + count) / (2 * count);
    }
}

static cudaError_t run(const unsigned char *in, unsigned char *out, size_t n,
                       int w, int h, int channels, int r)
{
    unsigned char *d_in = NULL, *d_out = NULL;
    cudaError_t err = CUDA_CHECK(cudaMalloc(&d_in, n));

    if (!err) err = CUDA_CHECK(cudaMalloc(&d_out, n));
    if (!err) err = CUDA_CHECK(cudaMemcpy(d_in, in, n, cudaMemcpyHostToDevice));
    if (!err) {
        blur_pixels<<<grid_of_tiles(ceil_div(w, 16), ceil_div(h, 16)),
                      dim3(16, 16)>>>(d_in, d_out, w, h, channels, r);
        err = CUDA_CHECK(cudaGetLastError());
    }
    if (!err)
        err = CUDA_CHECK(cudaMemcpy(out, d_out, n, cudaMemcpyDeviceToHost));
    cudaFree(d_in);
    cudaFree(d_out);
    return err;
}

int blur(const unsigned char *in, unsigned char *out, int width, int height,
         int channels, int radius)
{
    if (width < 0 || height < 0 || radius < 0 || radius > BLUR_RADIUS_MAX
        || (channels != 1 && channels != 3 && channels != 4))
        return cudaErrorInvalidValue;
    if (width == 0 || height == 0) return cudaSuccess;
    return run(in, out, (size_t)width * height * channels, width, height,
               channels, radius);
}
