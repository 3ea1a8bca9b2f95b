/* SPDX-License-Identifier: MIT */
/** @file
 *  Two passes for a filter whose factors are known, rows + columns products a
 *  pixel in place of rows * columns: what step 4 brings, and step 5 keeps for
 *  tall filters. */
#ifndef CONVOLUTION_PASSES_H
#define CONVOLUTION_PASSES_H

#include "tile.h"

enum {
    ROW_X = 128, ROW_Y = 2,     /* threads and pixels a block of the first */
    COLUMN_X = 32, COLUMN_Y = 8, /* threads a block of the second */
    COLUMN_TALL = 64            /* and rows of its tile */
};

/** First pass: a thread owns a pixel of work, the weighted sum of a row.
 *
 *  Grid over tiles of 128 x 2, 2 * (127 + columns) floats of shared memory.
 *  The barrier separates staging and summing.
 */
__global__ void filter_rows(const float *__restrict__ in,
                            float *__restrict__ work,
                            struct convolution_shape s)
{
    extern __shared__ float s_tile[];
    const int left = blockIdx.x * ROW_X, top = tile_row() * ROW_Y;
    const int x = left + threadIdx.x, y = top + threadIdx.y;
    const struct part part = {left - s.columns / 2, top,
                              ROW_X + s.columns - 1, ROW_Y};
    float sum = 0;

    if (top >= s.height) return; /* the whole block */
    stage(s_tile, in, s, part);
    __syncthreads();
    for (int u = 0; u < s.columns; u++)
        sum += c_factors[s.rows + u]
               * s_tile[threadIdx.y * part.across + threadIdx.x + u];
    if (x < s.width && y < s.height)
        work[(size_t)y * s.width + x] = sum;
}

/** Second pass: a thread owns 8 pixels of a column of out, a block 32 x 64.
 *
 *  Grid over tiles, 32 * (63 + rows) floats of shared memory.  The barrier
 *  separates staging and summing.
 */
__global__ void filter_columns(const float *__restrict__ work,
                               float *__restrict__ out,
                               struct convolution_shape s)
{
    extern __shared__ float s_tile[];
    const int left = blockIdx.x * COLUMN_X, top = tile_row() * COLUMN_TALL;
    const int x = left + threadIdx.x;

    if (top >= s.height) return; /* the whole block */
    stage(s_tile, work, s, {left, top - s.rows / 2, COLUMN_X,
                            COLUMN_TALL + s.rows - 1});
    __syncthreads();
    for (int v = threadIdx.y; v < COLUMN_TALL; v += COLUMN_Y) {
        float sum = 0;

        for (int i = 0; i < s.rows; i++)
            sum += c_factors[i] * s_tile[(v + i) * COLUMN_X + threadIdx.x];
        if (x < s.width && top + v < s.height)
            out[(size_t)(top + v) * s.width + x] = sum;
    }
}

/** Launch both, the factors being there. */
static inline cudaError_t launch_passes(const struct job *job)
{
    const struct convolution_shape *s = &job->shape;
    const size_t first = sizeof(float) * ROW_Y * (ROW_X + s->columns - 1);
    const size_t second = sizeof(float) * COLUMN_X
                          * (COLUMN_TALL + s->rows - 1);

    filter_rows<<<grid_of_tiles(tiles_for(s->width, ROW_X),
                                tiles_for(s->height, ROW_Y)),
                  dim3(ROW_X, ROW_Y), first>>>(job->d_in, job->d_work, *s);
    filter_columns<<<grid_of_tiles(tiles_for(s->width, COLUMN_X),
                                   tiles_for(s->height, COLUMN_TALL)),
                     dim3(COLUMN_X, COLUMN_Y), second>>>(job->d_work,
                                                         job->d_out, *s);
    return CUDA_CHECK(cudaGetLastError());
}

#endif
