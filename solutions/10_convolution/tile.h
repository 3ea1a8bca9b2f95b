/* SPDX-License-Identifier: MIT */
/** @file
 *  A tile with its halo in shared memory: what step 3 brings; later steps use
 *  it where they have nothing better. */
#ifndef CONVOLUTION_TILE_H
#define CONVOLUTION_TILE_H

#include "constant.h"

/** A part of an image. */
struct part {
    int left, top;    /**< its first pixel; may lie outside */
    int across, down; /**< its size */
};

/** Stage a part of the image in s_tile, p.across floats a row: every thread of
 *  the block its share.  Beyond the edge the nearest pixel is staged. */
__device__ static inline void stage(float *s_tile, const float *in,
                                    const struct convolution_shape &s,
                                    struct part p)
{
    for (int v = threadIdx.y; v < p.down; v += blockDim.y) {
        const int row = min(max(p.top + v, 0), s.height - 1);

        for (int u = threadIdx.x; u < p.across; u += blockDim.x) {
            const int column = min(max(p.left + u, 0), s.width - 1);
            s_tile[v * p.across + u] = in[(size_t)row * s.width + column];
        }
    }
}

/** The block's row of tiles; it may lie below the last one. */
__device__ static inline int tile_row()
{
    return blockIdx.z * gridDim.y + blockIdx.y;
}

enum { TILE_X = 32, TILE_Y = 16 }; /* threads and pixels a block */

/** A thread owns a pixel of out, a block a tile of 32 x 16.
 *
 *  Grid over the tiles, (31 + columns) * (15 + rows) floats of shared memory.
 *  A pixel is read from global memory by the one to four blocks whose tile or
 *  halo it is in.  The barrier separates staging and summing.
 */
__global__ void filter_tile(const float *__restrict__ in,
                            float *__restrict__ out,
                            struct convolution_shape s)
{
    extern __shared__ float s_tile[];
    const int left = blockIdx.x * TILE_X, top = tile_row() * TILE_Y;
    const int x = left + threadIdx.x, y = top + threadIdx.y;
    const struct part part = {left - s.columns / 2, top - s.rows / 2,
                              TILE_X + s.columns - 1, TILE_Y + s.rows - 1};
    float sum = 0;

    if (top >= s.height) return; /* the whole block */
    stage(s_tile, in, s, part);
    __syncthreads();
    for (int v = 0; v < s.rows; v++)
        for (int u = 0; u < s.columns; u++)
            sum += c_filter[v * s.columns + u]
                   * s_tile[(threadIdx.y + v) * part.across + threadIdx.x + u];
    if (x < s.width && y < s.height)
        out[(size_t)y * s.width + x] = sum;
}

/** Launch it, the filter being there. */
static inline cudaError_t launch_tile(const struct job *job)
{
    const struct convolution_shape *s = &job->shape;
    const size_t bytes = sizeof(float) * (TILE_X + s->columns - 1)
                         * (TILE_Y + s->rows - 1);
    const dim3 grid = grid_of_tiles(tiles_for(s->width, TILE_X),
                                    tiles_for(s->height, TILE_Y));

    filter_tile<<<grid, dim3(TILE_X, TILE_Y), bytes>>>(job->d_in, job->d_out,
                                                       *s);
    return CUDA_CHECK(cudaGetLastError());
}

#endif
