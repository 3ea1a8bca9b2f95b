/* SPDX-License-Identifier: MIT */
/** @file
 *  Blur, step 1: every thread loads its whole window from global memory. */
#include "host.h"

/** A thread owns one byte of the output, a block 64 by 4 bytes.
 *
 *  Grid over the bytes of the image, no shared memory.  Each input byte is
 *  loaded by up to (2 * radius + 1)^2 threads; only the caches reduce the DRAM
 *  traffic.
 */
__global__ void blur_image(const unsigned char *__restrict__ in,
                           unsigned char *__restrict__ out,
                           struct image_shape s)
{
    size_t x = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    unsigned row = blockIdx.z * gridDim.y + blockIdx.y;
    int y = (int)(row * blockDim.y + threadIdx.y);

    if (x >= s.pitch || y >= s.height) return;
    struct window_range xs = window((int)(x / s.channels), s.width, s.radius);
    struct window_range ys = window(y, s.height, s.radius);
    unsigned sum = 0;
    for (int v = ys.first; v <= ys.last; v++) {
        const unsigned char *line = in + v * s.pitch + x % s.channels;
        for (int u = xs.first; u <= xs.last; u++)
            sum += line[(size_t)u * s.channels];
    }
    out[y * s.pitch + x] = mean(sum, window_area(xs, ys));
}

static cudaError_t launch(const unsigned char *d_in, unsigned char *d_out,
                          struct image_shape s)
{
    const dim3 block(64, 4);
    const dim3 grid = grid_of_tiles(ceil_div(s.pitch, block.x),
                                    ceil_div(s.height, block.y));

    blur_image<<<grid, block>>>(d_in, d_out, s);
    return CUDA_CHECK(cudaGetLastError());
}
