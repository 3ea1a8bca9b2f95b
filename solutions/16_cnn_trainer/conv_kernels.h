/* SPDX-License-Identifier: MIT */
/** @file
 *  Layers with weights, forward and backward: convolution and dense layers.
 *
 *  A dense layer is a convolution on images of one pixel, with as many channels
 *  as inputs.  A *tap* is one of the inputs of an output, a *position* one of
 *  the N x P x Q positions of outputs.  Forward and both gradients are the same
 *  outer product in registers: a thread accumulates 8 inputs (of 8 positions,
 *  or 8 taps) times a row of 8 filters.  Threads do not synchronize, so that a
 *  CPU can run the kernel with whole vectors, too.
 *
 *  For this the rows are consecutive in memory: weights as [tap][filter],
 *  gradients of outputs as [position][filter].  The offset of a tap from its
 *  position is in a table, and images are stored with their padding: no bounds
 *  checks, and a single loop over the taps.
 */
#ifndef CNN_TRAINER_CONV_KERNELS_H
#define CNN_TRAINER_CONV_KERNELS_H

#include "grid.h"

enum {
    FILTERS_PER_THREAD = 8, /**< filters per thread */
    ROWS_PER_THREAD = 8,    /**< positions or taps per thread */
    BLOCK_THREADS = 32    /**< threads per block */
};

/** Before a loop that a GPU compiler unrolls.  A CPU compiler vectorizes the
 *  loop only if it is not unrolled. */
#ifdef __SOFTCC__
#define KEEP_VECTORIZABLE _Pragma("GCC unroll 1")
#else
#define KEEP_VECTORIZABLE _Pragma("unroll")
#endif

/** Round up to a multiple of FILTERS_PER_THREAD. */
__host__ __device__ static inline int round_up(int n)
{
    return (n + FILTERS_PER_THREAD - 1) / FILTERS_PER_THREAD
           * FILTERS_PER_THREAD;
}

/** A strided view of an array, with a stride for each dimension. */
struct view {
    float *first;             /**< first element, or NULL */
    size_t image_stride;      /**< stride of images, in floats */
    int row_stride, column_stride, channel_stride; /**< in floats */
};

/** Address of (n, y, x) in channel 0. */
__device__ static inline float *view_at(const struct view &v, int n, int y,
                                        int x)
{
    return v.first + n * v.image_stride + y * v.row_stride
           + x * v.column_stride;
}

/** The epilogue: operations on outputs before they are stored, forward and
 *  backward. */
struct epilogue {
    const float *bias;    /**< one per filter, or NULL */
    bool relu;            /**< apply ReLU */
    int *argmax_out;      /**< argmax of 2 x 2 pooling; or NULL: no pooling */
    int unpooled_columns; /**< columns of a plane before pooling */
    const float *mask;    /**< [n][k][p][q]: the output is 0 where mask <= 0 */
    float *planes;        /**< [n][k][p][q], or NULL */
    struct view to;       /**< a second destination, or none */
    const int *argmax;     /**< `to` is 2 x 2 times as large: the argmax of the
                                pooling */
    int columns, inner; /**< filters are `inner` pixels of a channel; or 1 */
};

/** An implicit GEMM: all positions times the weights. */
struct implicit_gemm {
    struct view from;         /**< by position; channels are in `taps` */
    const int *taps;          /**< [count] offsets from a position */
    const float *packed;      /**< [count][round_up(k)] */
    int count;                /**< number of taps */
    int n, p, q, k;           /**< images, rows, columns, filters */
    struct epilogue epilogue; /**< before the outputs are stored */
};

/** sum += left * right, the outer product. */
__device__ static inline void
outer_product_add(float (&sum)[ROWS_PER_THREAD][FILTERS_PER_THREAD],
                  const float (&left)[ROWS_PER_THREAD], const float *right)
{
#pragma unroll
    for (int i = 0; i < ROWS_PER_THREAD; i++) {
        KEEP_VECTORIZABLE
        for (int j = 0; j < FILTERS_PER_THREAD; j++)
            sum[i][j] += left[i] * right[j];
    }
}

/** The coordinates of a position. */
struct pixel {
    int n, y, x; /**< image, row, column */
};

/** The coordinates of position `at` of n x p x q. */
__device__ static inline struct pixel pixel_of(int at, int p, int q)
{
    const int rest = at % (p * q);
    return {at / (p * q), rest / q, rest % q};
}

/** Store a gradient to the second destination; behind a 2 x 2 pooling at the
 *  argmax, with 0 at the three others. */
__device__ static inline void store_gradient(const struct epilogue &epilogue,
                                             float value, struct pixel at,
                                             int f, int argmax)
{
    int channel = f;
    if (epilogue.inner > 1) {
        channel = f / epilogue.inner;
        at.y = f % epilogue.inner / epilogue.columns;
        at.x = f % epilogue.inner % epilogue.columns;
    }
    const int side = epilogue.argmax ? 2 : 1;
    float *to = view_at(epilogue.to, at.n, at.y * side, at.x * side)
                + (size_t)channel * epilogue.to.channel_stride;
    if (!epilogue.argmax) {
        *to = value;
        return;
    }
    const int corner = at.y * 2 * epilogue.unpooled_columns + at.x * 2;
    to[0] = argmax == corner ? value : 0;
    to[epilogue.to.column_stride] = argmax == corner + 1 ? value : 0;
    to += epilogue.to.row_stride;
    to[0] = argmax == corner + epilogue.unpooled_columns ? value : 0;
    to[epilogue.to.column_stride] =
        argmax == corner + epilogue.unpooled_columns + 1 ? value : 0;
}

/** A thread stores its outputs of one position. */
__device__ static inline void
store_outputs(const struct implicit_gemm &x, struct pixel at, int first,
              const float (&sum)[FILTERS_PER_THREAD])
{
    const struct epilogue &epilogue = x.epilogue;
    const int plane = x.p * x.q;
    size_t to = ((size_t)at.n * x.k + first) * plane + at.y * x.q + at.x;
    for (int j = 0; j < min((int)FILTERS_PER_THREAD, x.k - first);
         j++, to += plane) {
        float value =
            epilogue.bias ? sum[j] + epilogue.bias[first + j] : sum[j];
        if (epilogue.relu && value < 0) value = 0;
        if (epilogue.mask && !(epilogue.mask[to] > 0)) value = 0;
        if (epilogue.planes) epilogue.planes[to] = value;
        if (epilogue.to.first)
            store_gradient(epilogue, value, at, first + j,
                           epilogue.argmax ? epilogue.argmax[to] : 0);
    }
}

/** A thread stores the maximum of four positions and its argmax: the first of
 *  equal elements, a NaN before all numbers. */
__device__ static inline void
store_pooled(const struct implicit_gemm &x, struct pixel at, int first,
             const float (*sum)[FILTERS_PER_THREAD])
{
    float best[FILTERS_PER_THREAD];
    const int corner = at.y * 2 * x.epilogue.unpooled_columns + at.x * 2;
    size_t to = (((size_t)at.n * x.k + first) * x.p + at.y) * x.q + at.x;
#pragma unroll
    for (int j = 0; j < FILTERS_PER_THREAD; j++, to += x.p * x.q) {
        int argmax = 0;
        best[j] = sum[0][j];
#pragma unroll
        for (int i = 1; i < 4; i++)
            if (sum[i][j] > best[j] || sum[i][j] != sum[i][j]) {
                best[j] = sum[i][j];
                argmax = i;
            }
        if (first + j < x.k)
            x.epilogue.argmax_out[to] =
                corner + argmax / 2 * x.epilogue.unpooled_columns + argmax % 2;
    }
    store_outputs(x, at, first, best);
}

/** How the positions of an implicit GEMM are distributed: a thread owns
 *  ROWS_PER_THREAD of them with a stride of `stride`, or two windows of four.
 */
struct tiling {
    int stride, each;      /**< each: outputs per thread */
    unsigned tiles;       /**< blocks for all outputs of FILTERS_PER_THREAD
                               filters */
};

/** The tiling of an implicit GEMM; for few outputs it uses fewer threads. */
static inline struct tiling tiling_of(const struct implicit_gemm *x)
{
    const size_t count = (size_t)x->n * x->p * x->q;
    const int each =
        x->epilogue.argmax_out ? ROWS_PER_THREAD / 4 : ROWS_PER_THREAD;
    const size_t few = ceil_div(count, each);
    const int stride = few < BLOCK_THREADS ? (int)few : (int)BLOCK_THREADS;
    return {stride, each, (unsigned)ceil_div(count, (size_t)stride * each)};
}

/** A thread's tile of an implicit GEMM. WINDOWS: outputs are maxima of 2 x 2.
 *  @param tile  of positions
 *  @param first  filter */
template <bool WINDOWS>
__device__ static inline void implicit_gemm_tile(const struct implicit_gemm &x,
                                                 int stride, int tile,
                                                 int first)
{
    enum { EACH = WINDOWS ? ROWS_PER_THREAD / 4 : ROWS_PER_THREAD };
    const int row_stride = round_up(x.k), count = x.n * x.p * x.q;
    const int begin = tile * stride * EACH + threadIdx.x;
    unsigned at[ROWS_PER_THREAD]; /* in floats: arrays are smaller than 16 GiB
                                   */
    float sum[ROWS_PER_THREAD][FILTERS_PER_THREAD] = {};

#pragma unroll
    for (int i = 0; i < ROWS_PER_THREAD; i++) {
        const int part = WINDOWS ? i / 4 : i, side = WINDOWS ? 2 : 1;
        const struct pixel s =
            pixel_of(min(begin + part * stride, count - 1), x.p, x.q);
        const int down = WINDOWS ? i % 4 / 2 : 0, right = WINDOWS ? i % 2 : 0;
        at[i] = (unsigned)(s.n * x.from.image_stride
                           + (s.y * side + down) * x.from.row_stride
                           + (s.x * side + right) * x.from.column_stride);
    }
    const float *weight = x.packed + first;
    for (int t = 0; t < x.count; t++, weight += row_stride) {
        const float *from = x.from.first + x.taps[t];
        float left[ROWS_PER_THREAD];
#pragma unroll
        for (int i = 0; i < ROWS_PER_THREAD; i++)
            left[i] = from[at[i]];
        outer_product_add(sum, left, weight);
    }
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        const int own = begin + i * stride;
        if (own >= count) continue;
        if (WINDOWS)
            store_pooled(x, pixel_of(own, x.p, x.q), first, &sum[4 * i]);
        else
            store_outputs(x, pixel_of(own, x.p, x.q), first, sum[i]);
    }
}

/** The arguments of the gradient with respect to weights (wgrad). */
struct wgrad {
    struct view from; /**< inputs, by position */
    struct view grad; /**< [position][filter] gradient of outputs */
    const int *taps;  /**< [count] offsets from a position */
    int count;        /**< number of taps */
    int n, p, q, k;   /**< images, rows, columns, filters */
    int splits;       /**< number of parts of the images (split-K) */
    float *partial_sums;         /**< partial sums: [split][round_up(count) +
                              FILTERS_PER_THREAD][round_up(k)] */
    int *tickets;        /**< [tile of taps][filter / FILTERS_PER_THREAD], all 0
                              */
    float *weights, *biases; /**< gradients */
    bool dense;              /**< weights are [tap][filter], not transposed */
};

/** Number of tiles of taps, and one for the bias. */
__host__ __device__ static inline int tap_tiles(const struct wgrad &g)
{
    return round_up(g.count) / ROWS_PER_THREAD + 1;
}

/** Accumulate over the positions of a split; the tile of the bias sums only
 *  gradients. */
__device__ static inline void
wgrad_accumulate(const struct wgrad &g, int tile, int first, int split,
                 float (&sum)[ROWS_PER_THREAD][FILTERS_PER_THREAD])
{
    const int each = (g.n + g.splits - 1) / g.splits;
    const bool bias = tile == tap_tiles(g) - 1;
    unsigned at[ROWS_PER_THREAD];
#pragma unroll
    for (int i = 0; i < ROWS_PER_THREAD; i++)
        at[i] = bias ? 0 : g.taps[min(tile * ROWS_PER_THREAD + i, g.count - 1)];
    for (int n = split * each; n < min(g.n, (split + 1) * each); n++)
        for (int p = 0; p < g.p; p++) {
            const float *from = view_at(g.from, n, p, 0);
            const float *right = view_at(g.grad, n, p, 0) + first;
            for (int q = 0; q < g.q; q++) {
                float left[ROWS_PER_THREAD];
#pragma unroll
                for (int i = 0; i < ROWS_PER_THREAD; i++)
                    left[i] = from[at[i]];
                if (bias) left[0] = 1;
                outer_product_add(sum, left, right);
                from += g.from.column_stride;
                right += g.grad.column_stride;
            }
        }
}

/** A thread's tile of wgrad: ROWS_PER_THREAD taps, FILTERS_PER_THREAD filters,
 *  one split.  The last thread to finish a tile (found by an atomic ticket)
 *  adds the partial sums in index order. */
__device__ static inline void wgrad_tile(const struct wgrad &g, int tile,
                                         int first, int split)
{
    const int row_stride = round_up(g.k), tiles = tap_tiles(g);
    const size_t stride = (size_t)tiles * ROWS_PER_THREAD * row_stride;
    float sum[ROWS_PER_THREAD][FILTERS_PER_THREAD] = {};

    wgrad_accumulate(g, tile, first, split, sum);
    if (g.splits > 1) {
        float *own = g.partial_sums
                     + (size_t)tile * ROWS_PER_THREAD * row_stride + first;
        int *ticket = g.tickets + tile * (row_stride / FILTERS_PER_THREAD)
                      + first / FILTERS_PER_THREAD;
        for (int i = 0; i < ROWS_PER_THREAD; i++) {
            KEEP_VECTORIZABLE
            for (int j = 0; j < FILTERS_PER_THREAD; j++)
                own[split * stride + i * row_stride + j] = sum[i][j];
        }
        __threadfence();
        if (atomicAdd(ticket, 1) != g.splits - 1) return;
        *ticket = 0;
        __threadfence();
        for (int s = 0; s < g.splits; s++)
            for (int i = 0; i < ROWS_PER_THREAD; i++) {
                KEEP_VECTORIZABLE
                for (int j = 0; j < FILTERS_PER_THREAD; j++)
                    sum[i][j] = (s ? sum[i][j] : 0)
                                + own[s * stride + i * row_stride + j];
            }
    }
    const int filters = min((int)FILTERS_PER_THREAD, g.k - first);
    for (int j = 0; tile == tiles - 1 && j < filters; j++)
        g.biases[first + j] = sum[0][j];
    for (int i = 0; tile < tiles - 1 && i < ROWS_PER_THREAD; i++)
        for (int j = 0; j < filters; j++)
            if (tile * ROWS_PER_THREAD + i < g.count) {
                const size_t tap = tile * ROWS_PER_THREAD + i,
                             filter = first + j;
                g.weights[g.dense ? tap * g.k + filter
                                  : filter * g.count + tap] = sum[i][j];
            }
}

/** The backward pass of a layer in one launch: the first `dgrad_blocks` blocks
 *  compute the gradient with respect to its input, the others that with respect
 *  to its weights. */
__global__ void __launch_bounds__(BLOCK_THREADS)
    backward_kernel(struct implicit_gemm x, struct tiling tiling,
                    struct wgrad g, unsigned dgrad_blocks)
{
    if (blockIdx.x < dgrad_blocks) {
        if ((int)threadIdx.x < tiling.stride)
            implicit_gemm_tile<false>(
                x, tiling.stride, blockIdx.x % tiling.tiles,
                blockIdx.x / tiling.tiles * FILTERS_PER_THREAD);
        return;
    }
    const unsigned across = (tap_tiles(g) + BLOCK_THREADS - 1) / BLOCK_THREADS;
    const unsigned block = blockIdx.x - dgrad_blocks, rest = block / across;
    const unsigned groups = round_up(g.k) / FILTERS_PER_THREAD;
    const int tile = block % across * BLOCK_THREADS + threadIdx.x;
    if (tile < tap_tiles(g))
        wgrad_tile(g, tile, rest % groups * FILTERS_PER_THREAD, rest / groups);
}

/** Launch backward_kernel; `x` is NULL if the gradient of the input is not
 *  needed. */
static inline void launch_backward(const struct implicit_gemm *x,
                                   const struct wgrad *g)
{
    const struct tiling none = {1, 1, 1};
    const struct tiling tiling = x ? tiling_of(x) : none;
    const unsigned dgrad_blocks =
        x ? tiling.tiles * (round_up(x->k) / FILTERS_PER_THREAD) : 0;
    const unsigned wgrad_blocks =
        (unsigned)ceil_div(tap_tiles(*g), BLOCK_THREADS)
        * (round_up(g->k) / FILTERS_PER_THREAD) * g->splits;
    const struct implicit_gemm nothing = {};
    backward_kernel<<<dgrad_blocks + wgrad_blocks, BLOCK_THREADS>>>(
        x ? *x : nothing, tiling, *g, dgrad_blocks);
}

#endif
