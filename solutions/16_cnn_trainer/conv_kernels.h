/* SPDX-License-Identifier: MIT */
/** @file
 *  Layers with weights, forward and backward with respect to their input:
 *  convolution and dense layers.
 *
 *  A dense layer is a convolution on images of one pixel, with as many channels
 *  as inputs.  A *tap* is one of the inputs of an output, a *position* one of
 *  the N x P x Q positions of outputs.  The rows of the multiplication are
 *  positions, its terms taps, its columns filters.
 *
 *  Weights are stored as [tap][filter], gradients of outputs as
 *  [position][filter].  The offset of a tap from its position is in a table,
 *  and images are stored with their padding: no bounds checks, and a single
 *  loop over the taps.
 */
#ifndef CNN_TRAINER_CONV_KERNELS_H
#define CNN_TRAINER_CONV_KERNELS_H

#include "epilogue.h"

/** Tiles of C: many positions by few filters in a convolution; in a dense layer
 *  few of both, so that a small batch has blocks for all multiprocessors, and
 *  the terms are divided among eight slices. */
enum { CONV_TILE = 2048, DENSE_ROWS = 16, DENSE_FILTERS = 16 };

/** An implicit GEMM: all positions times the weights. */
struct implicit_gemm {
    struct view from;       /**< by position; channels are in `taps` */
    const int *taps;        /**< [count] offsets from a position */
    const float *packed;    /**< [count][round_up(k)] */
    int count;              /**< number of taps */
    struct outputs outputs; /**< and what happens to them */
};

/** Rows of the multiplication: with pooling the four positions of a window are
 *  consecutive, so that a thread owns a window. */
__host__ __device__ static inline int row_count(const struct implicit_gemm &x)
{
    const struct outputs &to = x.outputs;
    return to.n * to.p * to.q * (to.epilogue.argmax_out ? 4 : 1);
}

/** See gemm_tile.h: rows are positions; those past the end are the last one. */
__device__ static inline unsigned row_offset(const struct implicit_gemm &x,
                                             int row)
{
    const struct outputs &to = x.outputs;
    const int own = min(row, row_count(x) - 1);
    struct pixel at = pixel_of(own, to.p, to.q);

    if (to.epilogue.argmax_out) {
        at = pixel_of(own / 4, to.p, to.q);
        at.y = at.y * 2 + own % 4 / 2;
        at.x = at.x * 2 + own % 2;
    }
    return (unsigned)(at.n * x.from.image_stride + at.y * x.from.row_stride
                      + at.x * x.from.column_stride);
}

/** See gemm_tile.h: terms are taps. */
__device__ static inline struct term term_offsets(const struct implicit_gemm &x,
                                                  int tap)
{
    return {(unsigned)x.taps[tap], (unsigned)(tap * round_up(x.outputs.k))};
}

/** A block's tile of an implicit GEMM.
 *  @tparam FORWARD  see store_outputs()
 *  @param tile  of M positions
 *  @param first  filter */
template <int M, int N, enum gather HOW, bool FORWARD>
__device__ static inline void
implicit_gemm_tile(const struct implicit_gemm &x,
                   struct gemm_tile<M, N> &s_tile, int tile, int first)
{
    const struct operands from = {x.from.first,  x.packed,
                                  round_up(x.outputs.k), tile * M,
                                  first,         0,
                                  x.count,       false};
    const struct thread_place own = place_of_thread<M, N>();
    float sum[SIDE][SIDE] = {};

    gemm_accumulate<HOW>(sum, s_tile, x, from);
    if (gemm_tile<M, N>::SLICES > 1) {
        const float4 *s_sum = reduce_slices(sum, s_tile);
        for (int i = threadIdx.x; i < gemm_tile<M, N>::FLOAT4S;
             i += BLOCK_THREADS) {
            const float4 q = s_sum[i];
            float value[1][SIDE] = {{q.x, q.y, q.z, q.w}};
            store_outputs<FORWARD>(x.outputs, tile * M + i / (N / 4),
                                   first + i % (N / 4) * 4, value);
        }
    } else if (FORWARD && x.outputs.epilogue.argmax_out)
        store_pooled(x.outputs, (tile * M + own.row) / 4, first + own.column,
                     sum);
    else
        store_outputs<FORWARD>(x.outputs, tile * M + own.row,
                               first + own.column, sum);
}

/** Columns of a tile for so many filters of a convolution: the more there are,
 *  the fewer tiles load the same positions. */
static inline int tile_columns(int filters)
{
    return filters <= 8 ? 8 : filters <= 16 ? 16 : 32;
}

/** The grid of a multiplication's tiles of `n` columns. */
static inline dim3 tile_grid(const struct implicit_gemm *x, int n, bool dense)
{
    const int m = dense ? DENSE_ROWS : CONV_TILE / n;

    return dim3((unsigned)ceil_div(row_count(*x), m),
                (unsigned)ceil_div(x->outputs.k, n));
}

#endif
