/* SPDX-License-Identifier: MIT */
/** @file
 *  Convolution, step 5: a sliding window.  A thread moves down a column of the
 *  image and keeps the partial sums of all windows that contain the current row
 *  in registers. */
#include "host.h"
#include "separable.h"

enum {
    THREADS = 128, /* threads of a block, which are its columns */
    STRIP_ROWS = 64,    /* rows of out per block */
    STAGED_ROWS = 8      /* rows loaded at a time */
};

/** Add the contribution of one row of `in` to the sums: sum[i] is that of the
 *  pixel whose window has this row as its row i. `row` starts at the first
 *  column of the window. */
template <int ROWS, bool SEPARABLE>
__device__ static inline void accumulate_row(float (&sum)[ROWS],
                                             const float *row, int columns)
{
    float row_sum = 0;

    for (int u = 0; u < columns; u++)
        if (SEPARABLE)
            row_sum += c_factors[ROWS + u] * row[u];
        else
#pragma unroll
            for (int i = 0; i < ROWS; i++)
                sum[i] += c_filter[i * columns + u] * row[u];
    if (SEPARABLE)
#pragma unroll
        for (int i = 0; i < ROWS; i++)
            sum[i] += c_factors[i] * row_sum;
}

/** A thread owns 64 pixels of a column of out, a block 128 such columns.
 *
 *  Grid over strips of 128 x 64, 8 * (127 + columns) floats of shared memory.
 *  Each row is loaded once by its strip, and again by the strip below or above
 *  as halo; each pixel in shared memory is used for all ROWS sums.  The
 *  barriers separate the stores to shared memory from the loads, and the loads
 *  from the next stores.
 */
template <int ROWS, bool SEPARABLE>
__global__ void filter_sliding(const float *__restrict__ in,
                               float *__restrict__ out,
                               struct convolution_shape s)
{
    extern __shared__ float s_rows[];
    const int left = blockIdx.x * THREADS, x = left + threadIdx.x;
    const int top = tile_row() * STRIP_ROWS,
              end = min(top + STRIP_ROWS, s.height);
    const int region_width = THREADS + s.columns - 1;
    float sum[ROWS] = {};

    for (int y = top - ROWS / 2; y < end + ROWS / 2; y += STAGED_ROWS) {
        const int rows = min((int)STAGED_ROWS, end + ROWS / 2 - y);

        load_tile(s_rows, in, s, {left - s.columns / 2, y, region_width, rows});
        __syncthreads();
        for (int v = 0; v < rows; v++) {
            const int done = y + v - ROWS / 2;

            accumulate_row<ROWS, SEPARABLE>(
                sum, s_rows + v * region_width + threadIdx.x, s.columns);
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

/** Launch the kernel for filters with ROWS rows. */
template <int ROWS>
static cudaError_t launch_sliding(const struct filter_args *filter_args)
{
    const struct convolution_shape *s = &filter_args->shape;
    const size_t bytes =
        sizeof(float) * STAGED_ROWS * (THREADS + s->columns - 1);
    const dim3 grid = grid_of_tiles(ceil_div(s->width, THREADS),
                                    ceil_div(s->height, STRIP_ROWS));

    if (filter_args->factors)
        filter_sliding<ROWS, true><<<grid, THREADS, bytes>>>(
            filter_args->d_in, filter_args->d_out, *s);
    else
        filter_sliding<ROWS, false><<<grid, THREADS, bytes>>>(
            filter_args->d_in, filter_args->d_out, *s);
    return CUDA_CHECK(cudaGetLastError());
}

static cudaError_t launch(const struct filter_args *filter_args)
{
    cudaError_t err = copy_filter_to_constant(filter_args);

    if (err) return err;
    switch (filter_args->shape.rows) {
    case 3: return launch_sliding<3>(filter_args);
    case 5: return launch_sliding<5>(filter_args);
    case 7: return launch_sliding<7>(filter_args);
    case 9: return launch_sliding<9>(filter_args);
    case 11: return launch_sliding<11>(filter_args);
    default:
        return filter_args->factors ? launch_separable(filter_args)
                                    : launch_tile(filter_args);
    }
}
