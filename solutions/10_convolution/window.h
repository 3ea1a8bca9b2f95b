/* SPDX-License-Identifier: MIT */
/** @file
 *  One pixel per thread, its window in global memory: the first two steps,
 *  which differ in the memory of the filter. */
#ifndef CONVOLUTION_WINDOW_H
#define CONVOLUTION_WINDOW_H

#include "host.h"

enum { BLOCK_X = 32, BLOCK_Y = 8 }; /* threads per block */

/** A thread owns a pixel of out.
 *
 *  Grid of blocks of 32 x 8, no shared memory.  Each pixel of `in` is loaded by
 *  rows * columns threads; outside the image the nearest pixel is used.
 *  @param filter  in global or constant memory
 */
__device__ static inline void
sum_window(const float *__restrict__ in, const float *__restrict__ filter,
           float *__restrict__ out, struct convolution_shape s)
{
    const int x = blockIdx.x * BLOCK_X + threadIdx.x;
    const int y = (blockIdx.z * gridDim.y + blockIdx.y) * BLOCK_Y + threadIdx.y;
    float sum = 0;

    if (x >= s.width || y >= s.height) return;
    for (int v = 0; v < s.rows; v++) {
        const int row = min(max(y + v - s.rows / 2, 0), s.height - 1);

        for (int u = 0; u < s.columns; u++) {
            const int column = min(max(x + u - s.columns / 2, 0), s.width - 1);
            sum += filter[v * s.columns + u]
                   * in[(size_t)row * s.width + column];
        }
    }
    out[(size_t)y * s.width + x] = sum;
}

/** The grid with one thread per pixel. */
static inline dim3 pixel_grid(const struct convolution_shape *s)
{
    return grid_of_tiles(ceil_div(s->width, BLOCK_X),
                         ceil_div(s->height, BLOCK_Y));
}

#endif
