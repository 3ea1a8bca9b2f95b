/* SPDX-License-Identifier: MIT */
/** @file
 *  Implicit GEMM: all sums of lab 11 are this matrix multiplication, without
 *  storing the im2col matrix.  Introduced in step 3, used in step 4.
 *
 *      y[i][k] = sum over t of x[x_offset(i) + x_offset(t)] * f[t][k]
 *
 *  i is an output (a pixel), t a term, k a filter.  The matrix of the x is not
 *  stored: only the offsets of its elements are computed.
 */
#ifndef CONV_LAYER_IMPLICIT_GEMM_H
#define CONV_LAYER_IMPLICIT_GEMM_H

#include "host.h"

enum {
    LANES = 32, /* threads per block */
    OUTPUTS_PER_THREAD = 6,
    FILTERS_PER_THREAD = 8, /* a group */
    OUTPUTS_PER_BLOCK = LANES * OUTPUTS_PER_THREAD
};

/** The arguments of one launch.  Strides are in floats. */
struct implicit_gemm {
    int terms[3]; /**< number of terms: planes, rows, columns */
    /** strides of x from a plane, row, column of terms to the next */
    long long x_term_stride[3];
    int outputs[3]; /**< number of outputs: images, rows, columns */
    /** strides of x from an image, row, column of outputs to the next */
    long long x_output_stride[3];
    int filters; /**< number of filters, in groups of FILTERS_PER_THREAD */
    /** stride of y from an image to the next; a plane of outputs is dense */
    long long y_image_stride;
    long long y_filter_stride; /**< stride of y from a filter to the next */
    int batches;               /**< number of such sums in one launch */
    long long x_batch_stride;  /**< stride of x from a batch to the next */
    long long y_batch_stride;  /**< stride of y from a batch to the next */
    int planes; /**< planes of all batches: the last batch may have fewer */
};

/** Terms of a batch. */
__host__ __device__ static inline int term_count(const struct implicit_gemm &g)
{
    return g.terms[0] * g.terms[1] * g.terms[2];
}

/** Terms of this batch: the last one may have fewer planes. */
__device__ static inline int batch_term_count(const struct implicit_gemm &g,
                                              int batch)
{
    const int planes = min(g.terms[0], g.planes - batch * g.terms[0]);

    return planes * g.terms[1] * g.terms[2];
}

/** Number of groups of filters. */
__host__ __device__ static inline int
filter_groups(const struct implicit_gemm &g)
{
    return (g.filters + FILTERS_PER_THREAD - 1) / FILTERS_PER_THREAD;
}

/** Floats of all packed filters: [batch][group][term][FILTERS_PER_THREAD]. */
static inline size_t packed_filter_floats(const struct implicit_gemm &g)
{
    return (size_t)g.batches * filter_groups(g) * term_count(g)
           * FILTERS_PER_THREAD;
}

/** Offset of output i in x. */
__device__ static inline long long x_offset(const struct implicit_gemm &g,
                                            int i)
{
    const int column = i % g.outputs[2], row = i / g.outputs[2] % g.outputs[1];
    const int image = i / g.outputs[2] / g.outputs[1];

    return image * g.x_output_stride[0] + row * g.x_output_stride[1]
           + column * g.x_output_stride[2];
}

/** Offset of output i of filter 0 in y. */
__device__ static inline long long y_offset(const struct implicit_gemm &g,
                                            int i)
{
    const int plane = g.outputs[1] * g.outputs[2];

    return i / plane * g.y_image_stride + i % plane;
}

/** Stride of a thread's outputs: LANES, or less in a block with fewer than
 *  OUTPUTS_PER_BLOCK of the count. */
__device__ static inline int output_stride_of(int count)
{
    const int outputs = count - (int)blockIdx.x * OUTPUTS_PER_BLOCK;

    return min((outputs + OUTPUTS_PER_THREAD - 1) / OUTPUTS_PER_THREAD,
               (int)LANES);
}

/** Store a thread's sums of a group of filters: outputs first, first + stride
 *  and so on below count.  y is that of the batch. */
__device__ static inline void store_sums(const struct implicit_gemm &g,
                                         const float *sum, float *y, int first,
                                         int stride, int count)
{
    const int filter = blockIdx.y * FILTERS_PER_THREAD;

    for (int j = 0; j < OUTPUTS_PER_THREAD && first + j * stride < count; j++) {
        const long long place = y_offset(g, first + j * stride);

        for (int k = 0; k < FILTERS_PER_THREAD && filter + k < g.filters; k++)
            y[place + (filter + k) * g.y_filter_stride] =
                sum[j * FILTERS_PER_THREAD + k];
    }
}

/** A thread owns 6 outputs of 8 filters: 48 sums in registers.  Its outputs
 *  have a stride of 32, or less in a block with fewer than 192 outputs, so that
 *  consecutive threads own consecutive outputs and no lane is idle.
 *
 *  Grid (outputs / OUTPUTS_PER_BLOCK, groups, batches), block LANES. For each
 *  term a thread loads 6 floats of x, coalesced, and 8 of f, the same for all
 *  threads: 14 loads for 48 products.  Threads past the end compute the last
 *  output again.  No barrier: the sums of a thread pass through its own row of
 *  shared memory, 6,272 bytes per block.  So a compiler for CPUs sees stores of
 *  8 consecutive floats, and vectorizes the 8 products.  The row length is odd
 *  to avoid bank conflicts.  The terms are one loop, with carries, also for
 *  vectorization.
 */
__global__ void __launch_bounds__(LANES)
    implicit_gemm_kernel(const float *__restrict__ x,
                         const float *__restrict__ f, float *__restrict__ y,
                         struct implicit_gemm g)
{
    __shared__ float s_sum[LANES][OUTPUTS_PER_THREAD * FILTERS_PER_THREAD + 1];
    const int count = g.outputs[0] * g.outputs[1] * g.outputs[2];
    const int first = blockIdx.x * OUTPUTS_PER_BLOCK + threadIdx.x;
    const int output_stride = output_stride_of(count);
    const int group = blockIdx.y, batch = blockIdx.z;
    const int terms = batch_term_count(g, batch);
    const long long next_row =
        g.x_term_stride[1] - g.terms[2] * g.x_term_stride[2];
    const long long next_plane =
        g.x_term_stride[0] - g.terms[1] * g.x_term_stride[1];
    const float *from[OUTPUTS_PER_THREAD];
    float sum[OUTPUTS_PER_THREAD][FILTERS_PER_THREAD] = {};
    int row = 0, column = 0;

    if ((int)threadIdx.x >= output_stride) return;
#pragma unroll
    for (int j = 0; j < OUTPUTS_PER_THREAD; j++)
        from[j] = x + batch * g.x_batch_stride
                  + x_offset(g, min(first + j * output_stride, count - 1));
    f += ((size_t)batch * filter_groups(g) + group) * term_count(g)
         * FILTERS_PER_THREAD;
    for (int t = 0; t < terms; t++, f += FILTERS_PER_THREAD) {
        const float4 f_low = *(const float4 *)f,
                     f_high = *(const float4 *)(f + 4);
        const float filter_values[FILTERS_PER_THREAD] = {
            f_low.x,  f_low.y,  f_low.z,  f_low.w,
            f_high.x, f_high.y, f_high.z, f_high.w};
#pragma unroll
        for (int j = 0; j < OUTPUTS_PER_THREAD; j++) {
            const float input = *from[j];
#pragma unroll
            for (int k = 0; k < FILTERS_PER_THREAD; k++)
                sum[j][k] += filter_values[k] * input;
        }
        long long step = g.x_term_stride[2];
        if (++column == g.terms[2]) {
            column = 0;
            step += next_row;
            if (++row == g.terms[1]) {
                row = 0;
                step += next_plane;
            }
        }
#pragma unroll
        for (int j = 0; j < OUTPUTS_PER_THREAD; j++)
            from[j] += step;
    }
#pragma unroll
    for (int j = 0; j < OUTPUTS_PER_THREAD; j++)
#pragma unroll
        for (int k = 0; k < FILTERS_PER_THREAD; k++)
            s_sum[threadIdx.x][j * FILTERS_PER_THREAD + k] = sum[j][k];
    store_sums(g, s_sum[threadIdx.x], y + batch * g.y_batch_stride, first,
               output_stride, count);
}

/** Launch the kernel. */
static inline cudaError_t launch_implicit_gemm(const struct implicit_gemm &g,
                                               const float *d_x,
                                               const float *d_f, float *d_y)
{
    const size_t count = (size_t)g.outputs[0] * g.outputs[1] * g.outputs[2];
    const dim3 grid((unsigned)ceil_div(count, OUTPUTS_PER_BLOCK),
                    filter_groups(g), g.batches);

    implicit_gemm_kernel<<<grid, LANES>>>(d_x, d_f, d_y, g);
    return CUDA_CHECK(cudaGetLastError());
}

#endif
