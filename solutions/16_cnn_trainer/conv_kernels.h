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
#include "split_terms.h"

/** Tiles of C: many positions by few filters in a convolution.  A dense layer
 *  has few of both, so that its tiles are smaller, and the terms are divided
 *  among slices and, in the larger ones, among blocks. */
enum {
    CONV_TILE = 2048,  /**< elements of a convolution's tile */
    DENSE_LARGE = 32,  /**< images and filters of a dense layer's, forward */
    DENSE_SMALL = 16,  /**< of few images; and images and inputs, backward */
    SPLIT_INPUTS = 64, /**< least inputs of a part */
    SPLIT_UNIT = 32    /**< inputs are divided by multiples of a tile's terms */
};

/** An implicit GEMM: all positions times the weights. */
struct implicit_gemm {
    struct view from;       /**< by position; channels are in `taps` */
    const int *taps;        /**< [count] offsets from a position */
    const float *packed;    /**< [count][round_up(k)] */
    int count;              /**< number of taps */
    struct outputs outputs; /**< and what happens to them */
    struct splits splits;   /**< of a dense layer's inputs, forward */
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

/** Let the compiler know what holds for all dense layers: their images have one
 *  pixel, so that no position is divided, and are not pooled. */
__device__ static inline void set_dense(struct outputs &x)
{
    x.p = x.q = 1;
    x.epilogue.argmax_out = NULL;
}

/** A block's tile of an implicit GEMM.
 *  @tparam FORWARD  see store_outputs(); inputs may be divided among blocks
 *  @param tile  of M positions
 *  @param first  filter
 *  @param number  of the tile and these filters
 *  @param part  of the taps
 *  @return  has this block stored the outputs? */
template <int M, int N, enum gather HOW, bool FORWARD>
__device__ static inline bool
implicit_gemm_tile(const struct implicit_gemm &x,
                   struct gemm_tile<M, N> &s_tile, int tile, int first,
                   int number, int part)
{
    constexpr bool SPLIT = FORWARD && M == (int)DENSE_LARGE;
    const int columns = round_up(x.outputs.k);
    const int begin = SPLIT ? part * x.splits.each : 0;
    const int end = SPLIT ? min(begin + x.splits.each, x.count) : x.count;
    const struct operands from = {x.from.first, x.packed, columns, tile * M,
                                  first,        begin,    end,     false};
    const struct thread_place own = place_of_thread<M, N>();
    float sum[SIDE][SIDE] = {};

    gemm_accumulate<HOW>(sum, s_tile, x, from);
    if (gemm_tile<M, N>::SLICES > 1) {
        const float4 *s_sum = reduce_slices(sum, s_tile);
        if (SPLIT && x.splits.count > 1
            && !add_parts(x.splits, number, part, s_tile, s_sum))
            return false;
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
    return true;
}

/** Columns of a tile for so many filters of a convolution: the more there are,
 *  the fewer tiles load the same positions. */
static inline int tile_columns(int filters)
{
    return filters <= 8 ? 8 : filters <= 16 ? 16 : 32;
}

/** The grid of a multiplication's tiles of m x n. */
static inline dim3 tile_grid(const struct implicit_gemm *x, int m, int n)
{
    return dim3((unsigned)ceil_div(row_count(*x), m),
                (unsigned)ceil_div(x->outputs.k, n));
}

#endif
