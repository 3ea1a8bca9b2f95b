/* SPDX-License-Identifier: MIT */
/** @file
 *  A layer with weights, forward and backward: convolution and dense alike.
 *
 *  A dense layer is a convolution whose images have one pixel and as many
 *  channels as there are inputs.  A *tap* is one of the numbers that an output
 *  is made of, a *position* one of the N x P x Q places of outputs.  All three
 *  directions are the same outer product in registers: a thread adds 8 numbers
 *  (of 8 positions, or 8 taps) times a row of 8 (of 8 filters).  No thread
 *  waits for another, so that a CPU too runs it in whole vectors.
 *
 *  For that the rows lie side by side: weights as [tap][filter], gradients of
 *  outputs as [position][filter].  Where a tap lies from its position is read
 *  from a table, and images have their border of zeros: no access asks for
 *  edges, and the loop over taps is one.
 */
#ifndef CNN_TRAINER_WEIGHTED_H
#define CNN_TRAINER_WEIGHTED_H

#include "grid.h"

enum {
    WIDE = 8,     /**< filters of a thread */
    TALL = 8,     /**< positions or taps of a thread */
    LANES = 32    /**< threads a block */
};

/** Before a loop that a card unrolls; a CPU's compiler makes vectors of a loop
 *  only while it is one. */
#ifdef __SOFTCC__
#define IN_VECTORS _Pragma("GCC unroll 1")
#else
#define IN_VECTORS _Pragma("unroll")
#endif

/** Rounded up to whole rows of WIDE. */
__host__ __device__ static inline int whole(int n)
{
    return (n + WIDE - 1) / WIDE * WIDE;
}

/** An array by image, row, column and channel: from each to the next. */
struct view {
    float *first;             /**< of all, or NULL */
    size_t image;             /**< floats */
    int row, column, channel; /**< likewise */
};

/** The place (n, y, x) of channel 0. */
__device__ static inline float *at_view(const struct view &v, int n, int y,
                                        int x)
{
    return v.first + n * v.image + y * v.row + x * v.column;
}

/** What becomes of outputs, on the way forward or back. */
struct store {
    const float *bias;  /**< one a filter, or NULL */
    bool relu;          /**< 0 for what is below 0 */
    int *which;         /**< maximum of 2 x 2 positions: which won; or NULL */
    int before;         /**< columns of a plane that pooling takes */
    const float *mask;  /**< [n][k][p][q]: 0 where it is not above 0 */
    float *planes;      /**< [n][k][p][q], or NULL */
    struct view to;     /**< a second place, or none */
    const int *won;     /**< `to` has 2 x 2 places for each: this one */
    int columns, inner; /**< filters are `inner` pixels of a channel; 1 */
};

/** A product of all positions with weights. */
struct sweep {
    struct view from;     /**< by position; channels are in `taps` */
    const int *taps;      /**< [count] from a position on */
    const float *packed;  /**< [count][whole(k)] */
    int count;            /**< taps */
    int n, p, q, k;       /**< images, rows, columns, filters */
    struct store store;   /**< what to do with it */
};

/** sum += left * right, the outer product. */
__device__ static inline void outer(float (&sum)[TALL][WIDE],
                                    const float (&left)[TALL],
                                    const float *right)
{
#pragma unroll
    for (int i = 0; i < TALL; i++) {
        IN_VECTORS
        for (int j = 0; j < WIDE; j++)
            sum[i][j] += left[i] * right[j];
    }
}

/** A position. */
struct spot {
    int n, y, x; /**< image, row, column */
};

/** Position `at` of n x p x q. */
__device__ static inline struct spot spot_of(int at, int p, int q)
{
    const int rest = at % (p * q);
    return {at / (p * q), rest / q, rest % q};
}

/** A gradient goes to the second place: of 2 x 2 to the one that won. */
__device__ static inline void pass_on(const struct store &store, float value,
                                      struct spot at, int f, int won)
{
    int channel = f;
    if (store.inner > 1) {
        channel = f / store.inner;
        at.y = f % store.inner / store.columns;
        at.x = f % store.inner % store.columns;
    }
    const int side = store.won ? 2 : 1;
    float *to = at_view(store.to, at.n, at.y * side, at.x * side)
                + (size_t)channel * store.to.channel;
    if (!store.won) {
        *to = value;
        return;
    }
    const int corner = at.y * 2 * store.before + at.x * 2;
    to[0] = won == corner ? value : 0;
    to[store.to.column] = won == corner + 1 ? value : 0;
    to += store.to.row;
    to[0] = won == corner + store.before ? value : 0;
    to[store.to.column] = won == corner + store.before + 1 ? value : 0;
}

/** A thread stores its outputs of one position. */
__device__ static inline void finish(const struct sweep &x, struct spot at,
                                     int first, const float (&sum)[WIDE])
{
    const struct store &store = x.store;
    const int plane = x.p * x.q;
    size_t to = ((size_t)at.n * x.k + first) * plane + at.y * x.q + at.x;
    for (int j = 0; j < min((int)WIDE, x.k - first); j++, to += plane) {
        float value = store.bias ? sum[j] + store.bias[first + j] : sum[j];
        if (store.relu && value < 0) value = 0;
        if (store.mask && !(store.mask[to] > 0)) value = 0;
        if (store.planes) store.planes[to] = value;
        if (store.to.first)
            pass_on(store, value, at, first + j,
                    store.won ? store.won[to] : 0);
    }
}

/** A thread stores the largest of four positions, and which it was: the first
 *  of equals, a NaN before all. */
__device__ static inline void finish_window(const struct sweep &x,
                                            struct spot at, int first,
                                            const float (*sum)[WIDE])
{
    float best[WIDE];
    const int corner = at.y * 2 * x.store.before + at.x * 2;
    size_t to = (((size_t)at.n * x.k + first) * x.p + at.y) * x.q + at.x;
#pragma unroll
    for (int j = 0; j < WIDE; j++, to += x.p * x.q) {
        int won = 0;
        best[j] = sum[0][j];
#pragma unroll
        for (int i = 1; i < 4; i++)
            if (sum[i][j] > best[j] || sum[i][j] != sum[i][j]) {
                best[j] = sum[i][j];
                won = i;
            }
        if (first + j < x.k)
            x.store.which[to] = corner + won / 2 * x.store.before + won % 2;
    }
    finish(x, at, first, best);
}

/** Blocks of a sweep, and how its threads share positions: a thread owns TALL
 *  of them, `apart` from each other, or two windows of four. */
struct shares {
    int apart, each;      /**< each: outputs of a thread */
    unsigned tiles;       /**< blocks for all outputs of WIDE filters */
};

/** The shares of a sweep; few outputs are shared by fewer threads. */
static inline struct shares shares_of(const struct sweep *x)
{
    const size_t count = (size_t)x->n * x->p * x->q;
    const int each = x->store.which ? TALL / 4 : TALL;
    const size_t few = tiles_for(count, each);
    const int apart = few < LANES ? (int)few : (int)LANES;
    return {apart, each, (unsigned)tiles_for(count, (size_t)apart * each)};
}

/** A thread's part of a sweep.  WINDOWS: outputs are maxima of 2 x 2.
 *  @param tile  of positions  @param first  filter */
template <bool WINDOWS>
__device__ static inline void sweep_part(const struct sweep &x, int apart,
                                         int tile, int first)
{
    enum { EACH = WINDOWS ? TALL / 4 : TALL };
    const int stretch = whole(x.k), count = x.n * x.p * x.q;
    const int begin = tile * apart * EACH + threadIdx.x;
    unsigned at[TALL]; /* in floats: arrays end below 16 GiB */
    float sum[TALL][WIDE] = {};

#pragma unroll
    for (int i = 0; i < TALL; i++) {
        const int part = WINDOWS ? i / 4 : i, side = WINDOWS ? 2 : 1;
        const struct spot s =
            spot_of(min(begin + part * apart, count - 1), x.p, x.q);
        const int down = WINDOWS ? i % 4 / 2 : 0, right = WINDOWS ? i % 2 : 0;
        at[i] = (unsigned)(s.n * x.from.image
                           + (s.y * side + down) * x.from.row
                           + (s.x * side + right) * x.from.column);
    }
    const float *weight = x.packed + first;
    for (int t = 0; t < x.count; t++, weight += stretch) {
        const float *from = x.from.first + x.taps[t];
        float left[TALL];
#pragma unroll
        for (int i = 0; i < TALL; i++)
            left[i] = from[at[i]];
        outer(sum, left, weight);
    }
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        const int own = begin + i * apart;
        if (own >= count) continue;
        if (WINDOWS)
            finish_window(x, spot_of(own, x.p, x.q), first, &sum[4 * i]);
        else
            finish(x, spot_of(own, x.p, x.q), first, sum[i]);
    }
}

/** What a gradient by weights is summed from and where it goes. */
struct gather {
    struct view from;    /**< inputs, by position */
    struct view grad;    /**< [position][filter] gradient by outputs */
    const int *taps;     /**< [count] from a position on */
    int count;           /**< taps */
    int n, p, q, k;      /**< images, rows, columns, filters */
    int slices;          /**< images are parted among them */
    float *part;         /**< [slice][whole(count) + WIDE][whole(k)] */
    int *tickets;        /**< [tile of taps][filter / WIDE], all 0 */
    float *weights, *biases; /**< gradients */
    bool dense;          /**< weights lie as [tap][filter], not turned */
};

/** Tiles of taps, and one for the bias. */
__host__ __device__ static inline int tiles_of(const struct gather &g)
{
    return whole(g.count) / TALL + 1;
}

/** Sum over a slice's positions; the bias's tile adds up gradients alone. */
__device__ static inline void gather_sum(const struct gather &g, int tile,
                                         int first, int slice,
                                         float (&sum)[TALL][WIDE])
{
    const int each = (g.n + g.slices - 1) / g.slices;
    const bool bias = tile == tiles_of(g) - 1;
    unsigned at[TALL];
#pragma unroll
    for (int i = 0; i < TALL; i++)
        at[i] = bias ? 0 : g.taps[min(tile * TALL + i, g.count - 1)];
    for (int n = slice * each; n < min(g.n, (slice + 1) * each); n++)
        for (int p = 0; p < g.p; p++) {
            const float *from = at_view(g.from, n, p, 0);
            const float *right = at_view(g.grad, n, p, 0) + first;
            for (int q = 0; q < g.q; q++) {
                float left[TALL];
#pragma unroll
                for (int i = 0; i < TALL; i++)
                    left[i] = from[at[i]];
                if (bias) left[0] = 1;
                outer(sum, left, right);
                from += g.from.column;
                right += g.grad.column;
            }
        }
}

/** A thread's part of a gather: TALL taps, WIDE filters, one slice.  Who ends
 *  last of a tile's slices adds them, in their order. */
__device__ static inline void gather_part(const struct gather &g, int tile,
                                          int first, int slice)
{
    const int stretch = whole(g.k), tiles = tiles_of(g);
    const size_t apart = (size_t)tiles * TALL * stretch;
    float sum[TALL][WIDE] = {};

    gather_sum(g, tile, first, slice, sum);
    if (g.slices > 1) {
        float *own = g.part + (size_t)tile * TALL * stretch + first;
        int *ticket = g.tickets + tile * (stretch / WIDE) + first / WIDE;
        for (int i = 0; i < TALL; i++) {
            IN_VECTORS
            for (int j = 0; j < WIDE; j++)
                own[slice * apart + i * stretch + j] = sum[i][j];
        }
        __threadfence();
        if (atomicAdd(ticket, 1) != g.slices - 1) return;
        *ticket = 0;
        __threadfence();
        for (int s = 0; s < g.slices; s++)
            for (int i = 0; i < TALL; i++) {
                IN_VECTORS
                for (int j = 0; j < WIDE; j++)
                    sum[i][j] = (s ? sum[i][j] : 0)
                                + own[s * apart + i * stretch + j];
            }
    }
    const int filters = min((int)WIDE, g.k - first);
    for (int j = 0; tile == tiles - 1 && j < filters; j++)
        g.biases[first + j] = sum[0][j];
    for (int i = 0; tile < tiles - 1 && i < TALL; i++)
        for (int j = 0; j < filters; j++)
            if (tile * TALL + i < g.count) {
                const size_t tap = tile * TALL + i, filter = first + j;
                g.weights[g.dense ? tap * g.k + filter
                                  : filter * g.count + tap] = sum[i][j];
            }
}

/** A layer's way back in one launch: the first `sweeping` blocks take the
 *  gradient by its input, the others that by its weights. */
__global__ void __launch_bounds__(LANES)
back_over(struct sweep x, struct shares shares, struct gather g,
          unsigned sweeping)
{
    if (blockIdx.x < sweeping) {
        if ((int)threadIdx.x < shares.apart)
            sweep_part<false>(x, shares.apart, blockIdx.x % shares.tiles,
                              blockIdx.x / shares.tiles * WIDE);
        return;
    }
    const unsigned across = (tiles_of(g) + LANES - 1) / LANES;
    const unsigned block = blockIdx.x - sweeping, rest = block / across;
    const unsigned groups = whole(g.k) / WIDE;
    const int tile = block % across * LANES + threadIdx.x;
    if (tile < tiles_of(g))
        gather_part(g, tile, rest % groups * WIDE, rest / groups);
}

/** Launch back_over; `x` is NULL where nobody asks for the input's. */
static inline void back_both(const struct sweep *x, const struct gather *g)
{
    const struct shares none = {1, 1, 1};
    const struct shares shares = x ? shares_of(x) : none;
    const unsigned sweeping = x ? shares.tiles * (whole(x->k) / WIDE) : 0;
    const unsigned gathering = (unsigned)tiles_for(tiles_of(*g), LANES)
                               * (whole(g->k) / WIDE) * g->slices;
    const struct sweep nothing = {};
    back_over<<<sweeping + gathering, LANES>>>(x ? *x : nothing, shares, *g,
                                               sweeping);
}

#endif
