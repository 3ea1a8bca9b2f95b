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
    int splits, each; /**< parts of the positions, and positions of a part */
    float *partial_sums; /**< [split][round_up(count + 1)][round_up(k)] */
    int *tickets;        /**< one per tile, all 0 */
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

/** Is this the last of `count` blocks to call with this ticket?  The ticket is
 *  0 again afterwards.  Each thread's fence makes its stores visible before the
 *  block counts itself; the barrier orders all of them before the atomic. */
__device__ static inline bool is_last_block(int *ticket, int count)
{
    __shared__ bool s_last;

    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        s_last = atomicAdd(ticket, 1) == count - 1;
        if (s_last) *ticket = 0;
    }
    __syncthreads();
    __threadfence();
    return s_last;
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

/** A block's tile of wgrad: M taps, N filters, one split.  The last block to
 *  finish a tile (found by a ticket) adds the partial sums: each slice of its
 *  threads every SLICES-th of them, in a fixed order.
 *  @param tile  of M taps
 *  @param first  filter
 *  @param ticket  of this tile and these filters */
template <int M, int N, enum gather HOW>
__device__ static inline void
wgrad_tile(const struct wgrad &g, struct gemm_tile<M, N> &s_tile, int tile,
           int first, int split, int *ticket)
{
    typedef struct gemm_tile<M, N> shape;
    const struct thread_place own = place_of_thread<M, N>();
    const int stride = round_up(g.k), begin = split * g.each;
    const struct operands from = {
        g.from.first, g.grad.first, stride, tile * M, first, begin,
        min(begin + g.each, g.n * g.p * g.q), (tile + 1) * M > g.count};
    const size_t all = (size_t)round_up(g.count + 1) * stride;
    float *const partial = g.partial_sums + (size_t)tile * M * stride + first;
    float sum[SIDE][SIDE] = {};

    gemm_accumulate<HOW>(sum, s_tile, g, from);
    const float4 *s_sum = reduce_slices(sum, s_tile);
    if (g.splits > 1) {
        const int rows = min(M, round_up(g.count + 1) - tile * M);
        for (int i = threadIdx.x; i < shape::FLOAT4S; i += BLOCK_THREADS) {
            const int row = i / (N / 4), column = i % (N / 4) * 4;
            if (row < rows && first + column < stride)
                *(float4 *)(partial + split * all + row * stride + column) =
                    s_sum[i];
        }
        if (!is_last_block(ticket, g.splits)) return;
#pragma unroll
        for (int i = 0; i < SIDE; i++) {
            float4 q = make_float4(0, 0, 0, 0);
            const float *at = partial + (own.row + i) * stride + own.column;
            const bool exists =
                own.row + i < rows && first + own.column < stride;
            const int splits = exists ? g.splits : 0;
#pragma unroll 4
            for (int s = own.slice; s < splits; s += shape::SLICES) {
                const float4 part = *(const float4 *)(at + s * all);
                q.x += part.x, q.y += part.y, q.z += part.z, q.w += part.w;
            }
            sum[i][0] = q.x, sum[i][1] = q.y, sum[i][2] = q.z, sum[i][3] = q.w;
        }
        reduce_slices(sum, s_tile);
    }
    for (int i = threadIdx.x; i < shape::FLOAT4S; i += BLOCK_THREADS)
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
 *  @tparam HOW  of the inputs */
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

    if (blockIdx.x < dgrad_blocks) {
        implicit_gemm_tile<ROWS, DGRAD_N, FLOAT4_TERMS, false>(
            x, *(dgrad_tile *)s_tile, blockIdx.x % dgrad_grid.x,
            blockIdx.x / dgrad_grid.x * DGRAD_N);
        return;
    }
    const int block = blockIdx.x - dgrad_blocks;
    const int tiles = tap_tiles(g.count);
    const int columns = (g.k + WGRAD_N - 1) / WGRAD_N, rest = block / tiles;
    wgrad_tile<TAP_ROWS, WGRAD_N, HOW>(
        g, *(weights_tile *)s_tile, block % tiles, rest % columns * WGRAD_N,
        rest / columns, g.tickets + block % (tiles * columns));
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

/** Tiles of taps and `columns` filters: as many as tickets. */
static inline int wgrad_tiles(int count, int k, int columns)
{
    return tap_tiles(count) * (int)ceil_div(k, columns);
}

/** Most splits of a layer, for any number of images. */
static inline int max_splits(int count, int k, int columns)
{
    const int tiles = wgrad_tiles(count, k, columns);

    return tiles < WGRAD_BLOCKS ? WGRAD_BLOCKS / tiles : 1;
}

/** Divide the positions: parts of whole tiles, at least SPLIT_POSITIONS. */
static inline void split_positions(struct wgrad *g)
{
    const size_t positions = (size_t)g->n * g->p * g->q;
    const size_t most = max_splits(g->count, g->k, g->columns);
    const size_t wanted = ceil_div(positions, SPLIT_POSITIONS);
    const size_t splits = wanted < most ? wanted : most;

    g->each = (int)(ceil_div(positions, splits * 64) * 64);
    g->splits = (int)ceil_div(positions, g->each);
}

/** Launch backward_kernel with tiles of these sizes. */
template <int ROWS, int DGRAD_N, int WGRAD_N, enum gather HOW>
static inline void launch_tiles(const struct implicit_gemm *x, dim3 dgrad_grid,
                                const struct wgrad &g)
{
    const struct implicit_gemm nothing = {};
    const unsigned blocks =
        dgrad_grid.x * dgrad_grid.y
        + wgrad_tiles(g.count, g.k, g.columns) * (unsigned)g.splits;

    backward_kernel<ROWS, DGRAD_N, WGRAD_N, HOW>
        <<<blocks, BLOCK_THREADS>>>(x ? *x : nothing, dgrad_grid, g);
}

/** Launch the backward pass of a layer; `x` is NULL if the gradient of the
 *  input is not needed. */
static inline void launch_backward(const struct implicit_gemm *x,
                                   struct wgrad *g)
{
    const int channels = x ? x->outputs.k : 0;
    const int n = g->dense           ? (int)DENSE_FILTERS
                  : g->columns == 32 ? 32
                                     : min(tile_columns(channels), 16);
    const dim3 tiles = x ? tile_grid(x, n, g->dense) : dim3(0, 0);

    split_positions(g);
    if (g->dense)
        launch_tiles<DENSE_ROWS, DENSE_FILTERS, DENSE_COLUMNS, ALONG_ROWS>(
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
