/* SPDX-License-Identifier: MIT */
/** @file
 *  Two passes for a separable filter: rows + columns multiplications per pixel
 *  instead of rows * columns.  Introduced in step 4; step 5 uses them for
 *  filters with many rows. */
#ifndef CONVOLUTION_SEPARABLE_H
#define CONVOLUTION_SEPARABLE_H

#include "tile.h"

enum {
    ROW_BLOCK_X = 128, ROW_BLOCK_Y = 2,     /* threads and pixels per block,
                                             * first pass */
    COLUMN_BLOCK_X = 32, COLUMN_BLOCK_Y = 8, /* threads per block, second pass
                                              */
    COLUMN_TILE_ROWS = 64            /* rows of its tile */
};

/** First pass: a thread owns a pixel of work, the weighted sum of a row.
 *
 *  Grid over tiles of 128 x 2, 2 * (127 + columns) floats of shared memory.
 *  The barrier separates the stores to shared memory from the loads.
 */
__global__ void filter_rows(const float *__restrict__ in,
                            float *__restrict__ work,
                            struct convolution_shape s)
{
    extern __shared__ float s_tile[];
    const int left = blockIdx.x * ROW_BLOCK_X, top = tile_row() * ROW_BLOCK_Y;
    const int x = left + threadIdx.x, y = top + threadIdx.y;
    const struct region region = {left - s.columns / 2, top,
                              ROW_BLOCK_X + s.columns - 1, ROW_BLOCK_Y};
    float sum = 0;

    if (top >= s.height) return; /* the whole block returns */
    load_tile(s_tile, in, s, region);
    __syncthreads();
    for (int u = 0; u < s.columns; u++)
        sum += c_factors[s.rows + u]
               * s_tile[threadIdx.y * region.region_width + threadIdx.x + u];
    if (x < s.width && y < s.height)
        work[(size_t)y * s.width + x] = sum;
}

/** Second pass: a thread owns 8 pixels of a column of out, a block 32 x 64.
 *
 *  Grid over tiles, 32 * (63 + rows) floats of shared memory.  The barrier
 *  separates the stores to shared memory from the loads.
 */
__global__ void filter_columns(const float *__restrict__ work,
                               float *__restrict__ out,
                               struct convolution_shape s)
{
    extern __shared__ float s_tile[];
    const int left = blockIdx.x * COLUMN_BLOCK_X,
              top = tile_row() * COLUMN_TILE_ROWS;
    const int x = left + threadIdx.x;

    if (top >= s.height) return; /* the whole block returns */
    load_tile(s_tile, work, s,
              {left, top - s.rows / 2, COLUMN_BLOCK_X,
               COLUMN_TILE_ROWS + s.rows - 1});
    __syncthreads();
    for (int v = threadIdx.y; v < COLUMN_TILE_ROWS; v += COLUMN_BLOCK_Y) {
        float sum = 0;

        for (int i = 0; i < s.rows; i++)
            sum +=
                c_factors[i] * s_tile[(v + i) * COLUMN_BLOCK_X + threadIdx.x];
        if (x < s.width && top + v < s.height)
            out[(size_t)(top + v) * s.width + x] = sum;
    }
}

/** Launch both passes; the factors must be given. */
static inline cudaError_t
launch_separable(const struct filter_args *filter_args)
{
    const struct convolution_shape *s = &filter_args->shape;
    const size_t first =
        sizeof(float) * ROW_BLOCK_Y * (ROW_BLOCK_X + s->columns - 1);
    const size_t second = sizeof(float) * COLUMN_BLOCK_X
                          * (COLUMN_TILE_ROWS + s->rows - 1);

    filter_rows<<<grid_of_tiles(ceil_div(s->width, ROW_BLOCK_X),
                                ceil_div(s->height, ROW_BLOCK_Y)),
                  dim3(ROW_BLOCK_X, ROW_BLOCK_Y), first>>>(
        filter_args->d_in, filter_args->d_work, *s);
    filter_columns<<<grid_of_tiles(ceil_div(s->width, COLUMN_BLOCK_X),
                                   ceil_div(s->height, COLUMN_TILE_ROWS)),
                     dim3(COLUMN_BLOCK_X, COLUMN_BLOCK_Y), second>>>(
        filter_args->d_work, filter_args->d_out, *s);
    return CUDA_CHECK(cudaGetLastError());
}

#endif
