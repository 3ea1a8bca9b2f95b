/* SPDX-License-Identifier: MIT */
/** @file
 *  A pixel a thread, its window from global memory: the first two steps, which
 *  differ in where the filter lies. */
#ifndef CONVOLUTION_WINDOW_H
#define CONVOLUTION_WINDOW_H

#include "host.h"

enum { ACROSS = 32, DOWN = 8 }; /* threads a block */

/** A thread owns a pixel of out.
 *
 *  Grid of blocks of 32 x 8, no shared memory.  Each pixel of in is read by
 *  rows * columns threads; at the edge the nearest one is read again.
 *  @param filter  in the memory that the step chose */
__device__ static inline void
sum_window(const float *__restrict__ in, const float *__restrict__ filter,
           float *__restrict__ out, struct convolution_shape s)
{
    const int x = blockIdx.x * ACROSS + threadIdx.x;
    const int y = (blockIdx.z * gridDim.y + blockIdx.y) * DOWN + threadIdx.y;
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

/** The grid for a thread a pixel. */
static inline dim3 pixel_grid(const struct convolution_shape *s)
{
    return grid_of_tiles(tiles_for(s->width, ACROSS),
                         tiles_for(s->height, DOWN));
}

#endif
