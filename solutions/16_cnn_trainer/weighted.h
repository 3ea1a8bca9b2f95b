/* SPDX-License-Identifier: MIT */
/** @file
 *  A layer with weights, forward and backward: convolution and dense alike.
 *
 *  A dense layer is a convolution whose images have one pixel and as many
 *  channels as there are inputs.  A *tap* is one of the C x R x S numbers that
 *  an output is made of, a *position* one of the N x P x Q places of outputs.
 *  All three directions are the same outer product in registers: a thread adds
 *  8 numbers (of 8 positions, or 8 taps) times a row of 8 (of 8 filters).
 *  Nobody waits for anybody, so that a CPU too runs it in whole vectors.
 *
 *  For that the rows lie side by side: weights as [tap][filter], gradients of
 *  outputs as [position][filter], filled up with zeros to a multiple of 8.
 *  Images get their border of zeros before, so that no access asks for edges.
 */
#ifndef CNN_TRAINER_WEIGHTED_H
#define CNN_TRAINER_WEIGHTED_H

#include "grid.h"

enum {
    WIDE = 8,     /**< filters of a thread */
    TALL = 8,     /**< positions or taps of a thread */
    LANES = 32,   /**< threads a block */
    SLICE = 512   /**< positions that a slice of a sum has, about */
};

/** Rounded up to whole rows of WIDE. */
__host__ __device__ static inline int whole(int n)
{
    return (n + WIDE - 1) / WIDE * WIDE;
}

/** A cross-correlation without borders. */
struct sweep {
    const float *from;    /**< [n][c][h][w] */
    const float *packed;  /**< [c][r][s][whole(k)] */
    const float *bias;    /**< [k], or NULL */
    const float *mask;    /**< like `to`: 0 where it is not above 0; or NULL */
    float *to;            /**< [n][k][p][q] */
    int n, c, h, w;       /**< images, channels, rows, columns */
    int k, r, s, stride;  /**< filters, their rows and columns */
    int p, q;             /**< rows and columns of outputs */
    bool relu;            /**< 0 for what is below 0 */
};

/** Where the window of a position begins in `from`. */
__device__ static inline size_t window(const struct sweep &x, int at)
{
    const int image = at / (x.p * x.q), rest = at % (x.p * x.q);
    const int y = rest / x.q * x.stride, left = rest % x.q * x.stride;
    return ((size_t)image * x.c * x.h + y) * x.w + left;
}

/** sum += left * right, the outer product. */
__device__ static inline void outer(float (&sum)[TALL][WIDE],
                                    const float (&left)[TALL],
                                    const float *right)
{
#pragma unroll
    for (int i = 0; i < TALL; i++)
#pragma unroll
        for (int j = 0; j < WIDE; j++)
            sum[i][j] += left[i] * right[j];
}

/** A thread stores its outputs of position `at`. */
__device__ static inline void finish(const struct sweep &x, int at, int first,
                                     const float (&sum)[WIDE])
{
    const int plane = x.p * x.q;
    size_t to = ((size_t)(at / plane) * x.k + first) * plane + at % plane;
#pragma unroll
    for (int j = 0; j < WIDE; j++, to += plane) {
        if (first + j >= x.k) break;
        float value = x.bias ? sum[j] + x.bias[first + j] : sum[j];
        if (x.relu && value < 0) value = 0;
        if (x.mask && !(x.mask[to] > 0)) value = 0;
        x.to[to] = value;
    }
}

/** A thread owns TALL positions, `apart` from each other, and WIDE filters:
 *  those of row blockIdx.y.  Reads each weight once. */
__global__ void __launch_bounds__(LANES) sweep_over(struct sweep x, int apart)
{
    const int first = blockIdx.y * WIDE, stretch = whole(x.k);
    const int begin = blockIdx.x * apart * TALL + threadIdx.x;
    const int count = x.n * x.p * x.q;
    if ((int)threadIdx.x >= apart) return;

    size_t at[TALL];
    float sum[TALL][WIDE] = {};
#pragma unroll
    for (int i = 0; i < TALL; i++)
        at[i] = window(x, min(begin + i * apart, count - 1));
    const float *weight = x.packed + first;
    for (int c = 0; c < x.c; c++)
        for (int r = 0; r < x.r; r++)
            for (int s = 0; s < x.s; s++, weight += stretch) {
                const float *from = x.from + ((size_t)c * x.h + r) * x.w + s;
                float left[TALL];
#pragma unroll
                for (int i = 0; i < TALL; i++)
                    left[i] = from[at[i]];
                outer(sum, left, weight);
            }
#pragma unroll
    for (int i = 0; i < TALL; i++)
        if (begin + i * apart < count)
            finish(x, begin + i * apart, first, sum[i]);
}

/** Sweep over all positions; few of them are shared by fewer threads. */
static inline void sweep(const struct sweep *x)
{
    const size_t count = (size_t)x->n * x->p * x->q;
    const size_t apart = count < LANES * TALL ? tiles_for(count, TALL) : LANES;
    const dim3 grid(tiles_for(count, apart * TALL), whole(x->k) / WIDE);
    sweep_over<<<grid, LANES>>>(*x, (int)apart);
}

/** What a gradient by weights is summed from. */
struct gather {
    struct sweep way;    /**< the way forward: shapes, and `from` */
    const float *turned; /**< [position][whole(k)] gradient by outputs */
    float *part;         /**< [slice][taps + 1][whole(k)]; last row: bias */
    int slices;          /**< images are parted among them */
};

/** A thread owns TALL taps, WIDE filters and the images of one slice. */
__global__ void __launch_bounds__(LANES) gather_over(struct gather g)
{
    const struct sweep &x = g.way;
    const int taps = x.c * x.r * x.s, stretch = whole(x.k);
    const int tap = (blockIdx.x * LANES + threadIdx.x) * TALL;
    const int first = blockIdx.y * WIDE, slice = blockIdx.z;
    if (tap >= taps) return;

    size_t at[TALL];
    float sum[TALL][WIDE] = {}, ones[WIDE] = {};
#pragma unroll
    for (int i = 0; i < TALL; i++) {
        const int t = min(tap + i, taps - 1), r = t / x.s % x.r;
        at[i] = ((size_t)(t / (x.r * x.s)) * x.h + r) * x.w + t % x.s;
    }
    const int each = (x.n + g.slices - 1) / g.slices;
    for (int n = slice * each; n < min(x.n, (slice + 1) * each); n++)
        for (int p = 0; p < x.p; p++)
            for (int q = 0; q < x.q; q++) {
                const float *from = x.from
                    + ((size_t)n * x.c * x.h + p * x.stride) * x.w
                    + q * x.stride;
                const float *right = g.turned + first
                    + (((size_t)n * x.p + p) * x.q + q) * stretch;
                float left[TALL];
#pragma unroll
                for (int i = 0; i < TALL; i++)
                    left[i] = from[at[i]];
                outer(sum, left, right);
#pragma unroll
                for (int j = 0; j < WIDE; j++)
                    ones[j] += right[j];
            }
    float *part = g.part + (size_t)slice * (taps + 1) * stretch + first;
#pragma unroll
    for (int i = 0; i < TALL; i++)
#pragma unroll
        for (int j = 0; j < WIDE; j++)
            if (tap + i < taps)
                part[(size_t)(tap + i) * stretch + j] = sum[i][j];
#pragma unroll
    for (int j = 0; j < WIDE; j++)
        if (tap == 0) part[(size_t)taps * stretch + j] = ones[j];
}

/** Slices of the sum over all positions: one at least, one image at least. */
static inline int slices_for(const struct sweep *x)
{
    const size_t wanted = (size_t)x->n * x->p * x->q / SLICE;
    return wanted < 1 ? 1 : wanted < (size_t)x->n ? (int)wanted : x->n;
}

/** A thread adds up all slices of one weight, in their order.
 *  @param dense  weights lie as [tap][filter], else as [filter][tap] */
__global__ void add_slices(struct gather g, float *weights, float *biases,
                           bool dense)
{
    const int taps = g.way.c * g.way.r * g.way.s, k = g.way.k;
    const int stretch = whole(k);
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (taps + 1) * stretch) return;

    const int tap = i / stretch, filter = i % stretch;
    float sum = 0;
    for (int slice = 0; slice < g.slices; slice++)
        sum += g.part[(size_t)slice * (taps + 1) * stretch + i];
    if (filter < k) {
        float *to = tap == taps ? biases + filter
                    : dense     ? weights + (size_t)tap * k + filter
                                : weights + (size_t)filter * taps + tap;
        *to = sum;
    }
}

#endif
