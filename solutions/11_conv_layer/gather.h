/* SPDX-License-Identifier: MIT */
/** @file
 *  The product of matrices that all sums of lab 11 are, without building the
 *  large one: what step 3 brings and step 4 keeps.
 *
 *      y[i][k] = sum over t of x[place(i) + place(t)] * f[t][k]
 *
 *  i is an output (a pixel), t a term, k a filter.  The matrix of the x is
 *  never stored: only where its elements are is computed.
 */
#ifndef CONV_LAYER_GATHER_H
#define CONV_LAYER_GATHER_H

#include "host.h"

enum {
    LANES = 32,     /* threads a block */
    OUTPUTS = 6,    /* a thread's */
    FILTERS = 8,    /* a thread's: a group */
    OWN = LANES * OUTPUTS /* outputs a block */
};

/** What one launch sums.  Steps are in floats. */
struct gather {
    int terms[3];      /**< in planes, rows, columns */
    long long step[3]; /**< of x from one plane, row, column to the next */
    int outputs[3];    /**< likewise: images, rows, columns */
    long long place[3]; /**< step of x from an output to the next */
    int filters;       /**< k of them, in groups of FILTERS */
    long long y_image; /**< step of y from an image to the next, a plane of
                            outputs being dense */
    long long y_filter; /**< likewise from a filter to the next */
    int batches;       /**< such sums in one launch */
    long long x_batch; /**< step of x from one to the next */
    long long y_batch; /**< likewise of y */
    int planes;        /**< of all batches: the last one may have fewer */
};

/** Terms of a batch. */
__host__ __device__ static inline int terms_of(const struct gather &g)
{
    return g.terms[0] * g.terms[1] * g.terms[2];
}

/** Terms of this batch: the last one may have fewer planes. */
__device__ static inline int terms_in(const struct gather &g, int batch)
{
    const int planes = min(g.terms[0], g.planes - batch * g.terms[0]);

    return planes * g.terms[1] * g.terms[2];
}

/** Groups of filters. */
__host__ __device__ static inline int groups_of(const struct gather &g)
{
    return (g.filters + FILTERS - 1) / FILTERS;
}

/** Floats of all packed filters: [batch][group][term][FILTERS]. */
static inline size_t packed_size(const struct gather &g)
{
    return (size_t)g.batches * groups_of(g) * terms_of(g) * FILTERS;
}

/** Where output i begins in x. */
__device__ static inline long long place_of(const struct gather &g, int i)
{
    const int column = i % g.outputs[2], row = i / g.outputs[2] % g.outputs[1];
    const int image = i / g.outputs[2] / g.outputs[1];

    return image * g.place[0] + row * g.place[1] + column * g.place[2];
}

/** Where output i of filter 0 is in y. */
__device__ static inline long long y_place_of(const struct gather &g, int i)
{
    const int plane = g.outputs[1] * g.outputs[2];

    return i / plane * g.y_image + i % plane;
}

/** A thread owns 6 outputs of 8 filters: 48 sums in registers.  They are 32
 *  apart, less in a block with fewer than 192, so that neighbours own
 *  neighbours and no lane works for nothing.
 *
 *  Grid (outputs / OWN, groups, batches), block LANES.  In each term it reads
 *  6 floats of x, beside those of its neighbours, and 8 of f, which are the
 *  same for all: 14 for 48 products.  What is past the end sums the last output
 *  again.  No barrier: a thread's sums pass through its own row of shared
 *  memory, 6,272 bytes a block, so that a compiler for CPUs sees stores of 8
 *  neighbours, and makes the 8 products one instruction; the row is odd for
 *  the banks' sake.  The terms are one loop, with carries, for its sake too.
 */
__global__ void __launch_bounds__(LANES)
gather_sums(const float *__restrict__ x, const float *__restrict__ f,
            float *__restrict__ y, struct gather g)
{
    __shared__ float s_sum[LANES][OUTPUTS * FILTERS + 1];
    const int count = g.outputs[0] * g.outputs[1] * g.outputs[2];
    const int first = blockIdx.x * OWN + threadIdx.x;
    const int share = (count - (int)blockIdx.x * OWN + OUTPUTS - 1) / OUTPUTS;
    const int apart = min(share, (int)LANES);
    const int group = blockIdx.y, batch = blockIdx.z;
    const int terms = terms_in(g, batch);
    const long long next_row = g.step[1] - g.terms[2] * g.step[2];
    const long long next_plane = g.step[0] - g.terms[1] * g.step[1];
    const float *from[OUTPUTS];
    float sum[OUTPUTS][FILTERS] = {};
    int row = 0, column = 0;

    if ((int)threadIdx.x >= apart) return;
#pragma unroll
    for (int j = 0; j < OUTPUTS; j++)
        from[j] = x + batch * g.x_batch
                  + place_of(g, min(first + j * apart, count - 1));
    f += ((size_t)batch * groups_of(g) + group) * terms_of(g) * FILTERS;
    for (int t = 0; t < terms; t++, f += FILTERS) {
        const float4 low = *(const float4 *)f, high = *(const float4 *)(f + 4);
        const float own[FILTERS] = {low.x,  low.y,  low.z,  low.w,
                                    high.x, high.y, high.z, high.w};
#pragma unroll
        for (int j = 0; j < OUTPUTS; j++) {
            const float input = *from[j];
#pragma unroll
            for (int k = 0; k < FILTERS; k++)
                sum[j][k] += own[k] * input;
        }
        long long step = g.step[2];
        if (++column == g.terms[2]) {
            column = 0;
            step += next_row;
            if (++row == g.terms[1]) {
                row = 0;
                step += next_plane;
            }
        }
#pragma unroll
        for (int j = 0; j < OUTPUTS; j++)
            from[j] += step;
    }
#pragma unroll
    for (int j = 0; j < OUTPUTS; j++)
#pragma unroll
        for (int k = 0; k < FILTERS; k++)
            s_sum[threadIdx.x][j * FILTERS + k] = sum[j][k];
    for (int j = 0; j < OUTPUTS && first + j * apart < count; j++) {
        const long long place = y_place_of(g, first + j * apart);

        for (int k = 0; k < FILTERS && group * FILTERS + k < g.filters; k++)
            y[batch * g.y_batch + place + (group * FILTERS + k) * g.y_filter] =
                s_sum[threadIdx.x][j * FILTERS + k];
    }
}

/** Launch it. */
static inline cudaError_t gather(const struct gather &g, const float *d_x,
                                 const float *d_f, float *d_y)
{
    const size_t count = (size_t)g.outputs[0] * g.outputs[1] * g.outputs[2];
    const dim3 grid((unsigned)tiles_for(count, OWN), groups_of(g), g.batches);

    gather_sums<<<grid, LANES>>>(d_x, d_f, d_y, g);
    return CUDA_CHECK(cudaGetLastError());
}

#endif
