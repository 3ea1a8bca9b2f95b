/* SPDX-License-Identifier: MIT */
// BEGIN SOLUTION
/** @file
 *  Convolution, step 5: a thread slides down a column of the image and keeps
 *  what each row adds to the sums that are under way in registers. */
// HANDOUT
// /** @file
//  *  Lab 10: filter an image on the GPU.  The contract is in convolution.h. */
// END SOLUTION
#include "host.h"
// BEGIN SOLUTION
#include "passes.h"

enum {
    THREADS = 128, /* a block, and its columns */
    STRIP = 64,    /* rows of out a block */
    BATCH = 8      /* rows staged at a time */
};

/** What one row of in adds to the sums: sum[i] is that of the pixel for which
 *  it is the window's row i.  `row` begins at the window's first column. */
template <int ROWS, bool FACTORS>
__device__ static inline void add_row(float (&sum)[ROWS], const float *row,
                                      int columns)
{
    float part = 0;

    for (int u = 0; u < columns; u++)
        if (FACTORS)
            part += c_factors[ROWS + u] * row[u];
        else
#pragma unroll
            for (int i = 0; i < ROWS; i++)
                sum[i] += c_filter[i * columns + u] * row[u];
    if (FACTORS)
#pragma unroll
        for (int i = 0; i < ROWS; i++)
            sum[i] += c_factors[i] * part;
}

/** A thread owns 64 pixels of a column of out, a block 128 such columns.
 *
 *  Grid over strips of 128 x 64, 8 * (127 + columns) floats of shared memory.
 *  Each row is read once by the strip, and by the one below or above as halo;
 *  each staged pixel is used for all ROWS sums at once.  The barriers separate
 *  staging, summing, and staging again.
 */
template <int ROWS, bool FACTORS>
__global__ void slide(const float *__restrict__ in, float *__restrict__ out,
                      struct convolution_shape s)
{
    extern __shared__ float s_rows[];
    const int left = blockIdx.x * THREADS, x = left + threadIdx.x;
    const int top = tile_row() * STRIP, end = min(top + STRIP, s.height);
    const int across = THREADS + s.columns - 1;
    float sum[ROWS] = {};

    for (int y = top - ROWS / 2; y < end + ROWS / 2; y += BATCH) {
        const int rows = min((int)BATCH, end + ROWS / 2 - y);

        stage(s_rows, in, s, {left - s.columns / 2, y, across, rows});
        __syncthreads();
        for (int v = 0; v < rows; v++) {
            const int done = y + v - ROWS / 2;

            add_row<ROWS, FACTORS>(sum, s_rows + v * across + threadIdx.x,
                                   s.columns);
            if (done >= top && x < s.width)
                out[(size_t)done * s.width + x] = sum[ROWS - 1];
#pragma unroll
            for (int i = ROWS - 1; i > 0; i--)
                sum[i] = sum[i - 1];
            sum[0] = 0;
        }
        __syncthreads();
    }
}

/** Launch it for filters of that many rows. */
template <int ROWS>
static cudaError_t launch_slide(const struct job *job)
{
    const struct convolution_shape *s = &job->shape;
    const size_t bytes = sizeof(float) * BATCH * (THREADS + s->columns - 1);
    const dim3 grid = grid_of_tiles(tiles_for(s->width, THREADS),
                                    tiles_for(s->height, STRIP));

    if (job->factors)
        slide<ROWS, true><<<grid, THREADS, bytes>>>(job->d_in, job->d_out, *s);
    else
        slide<ROWS, false><<<grid, THREADS, bytes>>>(job->d_in, job->d_out,
                                                     *s);
    return CUDA_CHECK(cudaGetLastError());
}

// HANDOUT
//
// /** One thread, one pixel of out.  Device pointers; the filter's numbers are
//  *  in the array that TODO 1 asks for. */
// __global__ void filter_image(const float *__restrict__ in,
//                              float *__restrict__ out,
//                              struct convolution_shape s)
// {
//     /* TODO 2: x and y of this thread's pixel; return beyond the image */
//     /* TODO 3: the sum over the window; beyond the edge the nearest pixel */
// }
//
// END SOLUTION
static cudaError_t launch(const struct job *job)
{
// BEGIN SOLUTION
    cudaError_t err = put_filter(job);

    if (err) return err;
    switch (job->shape.rows) {
    case 3: return launch_slide<3>(job);
    case 5: return launch_slide<5>(job);
    case 7: return launch_slide<7>(job);
    case 9: return launch_slide<9>(job);
    case 11: return launch_slide<11>(job);
    default: return job->factors ? launch_passes(job) : launch_tile(job);
    }
// HANDOUT
//     /* TODO 1: the filter is host memory: a __constant__ array of FILTER_MAX
//      * floats, and cudaMemcpyToSymbolAsync */
//     /* TODO 4: a 2-D grid, rounded up both ways; launch; ask for errors */
//     return cudaErrorNotSupported;
// END SOLUTION
}
