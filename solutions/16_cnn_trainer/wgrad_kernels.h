/* SPDX-License-Identifier: MIT */
/** @file
 *  The gradients with respect to weights and biases, and the backward pass of a
 *  layer with weights in one launch.
 *
 *  The rows of the multiplication are taps, its columns filters, and its terms
 *  positions: few outputs and long sums.  So the positions are divided among
 *  blocks (split K) and, in a block, among slices of threads.  A row of ones
 *  after the last tap makes the gradients of the biases. */
#ifndef CNN_TRAINER_WGRAD_KERNELS_H
#define CNN_TRAINER_WGRAD_KERNELS_H

#include "conv_kernels.h"

enum {
    TAP_ROWS = 32,       /**< rows of a tile of taps */
    DENSE_COLUMNS = 32,  /**< columns of such a tile of a dense layer, which has
                              many taps and filters, and few positions */
    WGRAD_BLOCKS = 128,  /**< about so many blocks for a layer */
    WGRAD_UNIT = 64,     /**< positions are divided by multiples of this */
    SPLIT_POSITIONS = 256 /**< least positions of a split */
};

/** The arguments of the gradient with respect to weights (wgrad). */
struct wgrad {
    struct view from; /**< inputs, by position */
    struct view grad; /**< [position][filter] gradient of outputs */
    const int *taps;  /**< [count] offsets from a position */
    int count;        /**< number of taps */
    int n, p, q, k;   /**< images, rows, columns, filters */
    int columns;      /**< of a tile: see wgrad_columns() */
    struct splits splits; /**< of the positions */
    float *weights, *biases; /**< gradients */
    bool dense; /**< weights are [tap][filter], not transposed */
};

/** See gemm_tile.h: rows are taps, and a row of ones. */
__device__ static inline unsigned row_offset(const struct wgrad &g, int row)
{
    return row < g.count ? (unsigned)g.taps[row] : ROW_OF_ONES;
}

/** See gemm_tile.h: terms are positions. */
__device__ static inline struct term term_offsets(const struct wgrad &g, int at)
{
    const struct pixel own = pixel_of(at, g.p, g.q);

    return {(unsigned)(own.n * g.from.image_stride + own.y * g.from.row_stride
                       + own.x * g.from.column_stride),
            (unsigned)(own.n * g.grad.image_stride + own.y * g.grad.row_stride
                       + own.x * g.grad.column_stride)};
}

/** Store four gradients of a tap: of weights, or after the last tap of biases.
 */
__device__ static inline void store_gradients(const struct wgrad &g, int tap,
                                              int first, float4 q)
{
    const float value[SIDE] = {q.x, q.y, q.z, q.w};

    if (tap > g.count) return;
    if (tap == g.count)
        store_filters(g.biases + first, 1, g.k - first, value);
    else if (g.dense)
        store_filters(g.weights + (size_t)tap * g.k + first, 1, g.k - first,
                      value);
    else
        store_filters(g.weights + (size_t)first * g.count + tap, g.count,
                      g.k - first, value);
}

/** A block's tile of wgrad: M taps, N filters, a part of the positions.
 *  @param tile  of M taps
 *  @param first  filter
 *  @param number  of the tile and these filters */
template <int M, int N, enum gather HOW>
__device__ static inline void
wgrad_tile(const struct wgrad &g, struct gemm_tile<M, N> &s_tile, int tile,
           int first, int number, int part)
{
    const int begin = part * g.splits.each;
    const struct operands from = {
        g.from.first, g.grad.first, round_up(g.k), tile * M, first, begin,
        min(begin + g.splits.each, g.n * g.p * g.q), (tile + 1) * M > g.count};
    float sum[SIDE][SIDE] = {};

    gemm_accumulate<HOW>(sum, s_tile, g, from);
    const float4 *s_sum = reduce_slices(sum, s_tile);
    if (g.splits.count > 1
        && !add_parts(g.splits, number, part, s_tile, s_sum))
        return;
    for (int i = threadIdx.x; i < gemm_tile<M, N>::FLOAT4S; i += BLOCK_THREADS)
        store_gradients(g, tile * M + i / (N / 4), first + i % (N / 4) * 4,
                        s_sum[i]);
}

/** Tiles of the taps and of the row of ones. */
__host__ __device__ static inline int tap_tiles(int count)
{
    return (count + TAP_ROWS) / TAP_ROWS;
}

/** The backward pass of a layer in one launch: the first `dgrad_blocks` blocks
 *  compute the gradient with respect to its input, the others that with respect
 *  to its weights.
 *  @tparam ROWS, DGRAD_N, WGRAD_N  sizes of the tiles
 *  @tparam HOW  of the inputs; ALONG_ROWS in a dense layer */
template <int ROWS, int DGRAD_N, int WGRAD_N, enum gather HOW>
__global__ void __launch_bounds__(BLOCK_THREADS, 4)
    backward_kernel(struct implicit_gemm x, dim3 dgrad_grid, struct wgrad g)
{
    typedef struct gemm_tile<ROWS, DGRAD_N> dgrad_tile;
    typedef struct gemm_tile<TAP_ROWS, WGRAD_N> weights_tile;
    enum {
        BYTES = sizeof(dgrad_tile) > sizeof(weights_tile) ? sizeof(dgrad_tile)
                                                          : sizeof(weights_tile)
    };
    __shared__ __align__(16) char s_tile[BYTES];
    const unsigned dgrad_blocks = dgrad_grid.x * dgrad_grid.y;

    if (HOW == ALONG_ROWS) {
        set_dense(x.outputs);
        g.p = g.q = 1;
        g.dense = true;
    }
    if (blockIdx.x < dgrad_blocks) {
        implicit_gemm_tile<ROWS, DGRAD_N, FLOAT4_TERMS, false>(
            x, *(dgrad_tile *)s_tile, blockIdx.x % dgrad_grid.x,
            blockIdx.x / dgrad_grid.x * DGRAD_N, 0, 0);
        return;
    }
    const int block = blockIdx.x - dgrad_blocks;
    const int tiles = tap_tiles(g.count);
    const int columns = (g.k + WGRAD_N - 1) / WGRAD_N, rest = block / tiles;
    wgrad_tile<TAP_ROWS, WGRAD_N, HOW>(
        g, *(weights_tile *)s_tile, block % tiles, rest % columns * WGRAD_N,
        block % (tiles * columns), rest / columns);
}

/** Columns of a tile of the gradient with respect to weights.  In a convolution
 *  few columns of one gradient go with few of the other one: for each pair
 *  there is a kernel. */
static inline int wgrad_columns(int channels, int filters, bool dense)
{
    if (dense) return DENSE_COLUMNS;
    if (channels > 16) return filters > 16 ? 32 : 16;
    return channels > 8 ? 16 : min(tile_columns(filters), 16);
}

/** Tiles of taps and filters. */
static inline int wgrad_tiles(const struct wgrad &g)
{
    return tap_tiles(g.count) * (int)ceil_div(g.k, g.columns);
}

/** Launch backward_kernel with tiles of these sizes. */
template <int ROWS, int DGRAD_N, int WGRAD_N, enum gather HOW>
static inline void launch_tiles(const struct implicit_gemm *x, dim3 dgrad_grid,
                                const struct wgrad &g)
{
    const struct implicit_gemm nothing = {};
    const unsigned blocks =
        dgrad_grid.x * dgrad_grid.y
        + wgrad_tiles(g) * (unsigned)g.splits.count;

    backward_kernel<ROWS, DGRAD_N, WGRAD_N, HOW>
        <<<blocks, BLOCK_THREADS>>>(x ? *x : nothing, dgrad_grid, g);
}

/** Launch the backward pass of a layer; `x` is NULL if the gradient of the
 *  input is not needed. */
static inline void launch_backward(const struct implicit_gemm *x,
                                   struct wgrad *g)
{
    const int channels = x ? x->outputs.k : 0;
    const int n = g->dense           ? (int)DENSE_SMALL
                  : g->columns == 32 ? 32
                                     : min(tile_columns(channels), 16);
    const int m = g->dense ? (int)DENSE_SMALL : CONV_TILE / n;
    const dim3 tiles = x ? tile_grid(x, m, n) : dim3(0, 0);

    split_terms(&g->splits, (size_t)g->n * g->p * g->q, WGRAD_UNIT,
                SPLIT_POSITIONS, wgrad_tiles(*g), WGRAD_BLOCKS);
    if (g->dense)
        launch_tiles<DENSE_SMALL, DENSE_SMALL, DENSE_COLUMNS, ALONG_ROWS>(
            x, tiles, *g);
    else if (g->columns == 8)
        launch_tiles<CONV_TILE / 8, 8, 8, ALONG_TERMS>(x, tiles, *g);
    else if (n == 8)
        launch_tiles<CONV_TILE / 8, 8, 16, ALONG_TERMS>(x, tiles, *g);
    else if (n == 16)
        launch_tiles<CONV_TILE / 16, 16, 16, ALONG_TERMS>(x, tiles, *g);
    else
        launch_tiles<CONV_TILE / 32, 32, 32, ALONG_TERMS>(x, tiles, *g);
}

#endif
