/* SPDX-License-Identifier: MIT */
/** @file
 *  A tile with its halo in shared memory: introduced in step 3; later steps use
 *  it for other filter sizes. */
#ifndef CONVOLUTION_TILE_H
#define CONVOLUTION_TILE_H

#include "constant_filter.h"

/** A region of an image. */
struct region {
    int left, top;    /**< its first pixel; may be outside the image */
    int region_width, region_height; /**< its size */
};

/** Load a region of the image into s_tile, with a row stride of p.region_width
 *  floats; all threads of the block take part.  Outside the image the nearest
 *  pixel is used. */
__device__ static inline void load_tile(float *s_tile, const float *in,
                                        const struct convolution_shape &s,
                                        struct region p)
{
    for (int v = threadIdx.y; v < p.region_height; v += blockDim.y) {
        const int row = min(max(p.top + v, 0), s.height - 1);

        for (int u = threadIdx.x; u < p.region_width; u += blockDim.x) {
            const int column = min(max(p.left + u, 0), s.width - 1);
            s_tile[v * p.region_width + u] = in[(size_t)row * s.width + column];
        }
    }
}

/** The block's row of tiles; it may be below the last one. */
__device__ static inline int tile_row()
{
    return blockIdx.z * gridDim.y + blockIdx.y;
}

enum { TILE_X = 32, TILE_Y = 16 }; /* threads and pixels per block */

/** A thread owns a pixel of out, a block a tile of 32 x 16.
 *
 *  Grid over the tiles, (31 + columns) * (15 + rows) floats of shared memory.
 *  A pixel is loaded from global memory by the one to four blocks whose tile or
 *  halo contains it.  The barrier separates the stores to shared memory from
 *  the loads.
 */
__global__ void filter_tile(const float *__restrict__ in,
                            float *__restrict__ out,
                            struct convolution_shape s)
{
    extern __shared__ float s_tile[];
    const int left = blockIdx.x * TILE_X, top = tile_row() * TILE_Y;
    const int x = left + threadIdx.x, y = top + threadIdx.y;
    const struct region region = {left - s.columns / 2, top - s.rows / 2,
                              TILE_X + s.columns - 1, TILE_Y + s.rows - 1};
    float sum = 0;

    if (top >= s.height) return; /* the whole block returns */
    load_tile(s_tile, in, s, region);
    __syncthreads();
    for (int v = 0; v < s.rows; v++)
        for (int u = 0; u < s.columns; u++)
            sum += c_filter[v * s.columns + u]
                   * s_tile[(threadIdx.y + v) * region.region_width
                            + threadIdx.x + u];
    if (x < s.width && y < s.height)
        out[(size_t)y * s.width + x] = sum;
}

/** Launch the kernel; the filter must be in constant memory. */
static inline cudaError_t launch_tile(const struct filter_args *filter_args)
{
    const struct convolution_shape *s = &filter_args->shape;
    const size_t bytes = sizeof(float) * (TILE_X + s->columns - 1)
                         * (TILE_Y + s->rows - 1);
    const dim3 grid = grid_of_tiles(ceil_div(s->width, TILE_X),
                                    ceil_div(s->height, TILE_Y));

    filter_tile<<<grid, dim3(TILE_X, TILE_Y), bytes>>>(filter_args->d_in,
                                                       filter_args->d_out, *s);
    return CUDA_CHECK(cudaGetLastError());
}

#endif
