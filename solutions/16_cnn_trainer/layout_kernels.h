/* SPDX-License-Identifier: MIT */
/** @file
 *  Kernels that copy data to the layouts of conv_kernels.h. */
#ifndef CNN_TRAINER_LAYOUT_KERNELS_H
#define CNN_TRAINER_LAYOUT_KERNELS_H

#include <stdint.h>

#include "wgrad_kernels.h"

enum {
    THREADS = 256,
    WARP = 32,               /**< lanes */
    LAYERS_PER_LAUNCH = 16   /**< layers per launch */
};

/** Number of blocks for n threads. */
static inline unsigned blocks_for(size_t n)
{
    return (unsigned)ceil_div(n, THREADS);
}

/** A random number in [0, 1) for element i: splitmix64 of a counter. */
__device__ static inline float uniform01(uint64_t seed, uint64_t i)
{
    uint64_t z = seed + (i + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (float)((z ^ z >> 31) >> 40) * 0x1p-24f;
}

/** Dropout of element i: drop it, or scale it; the same forward and backward.
 *  @param seed  of this layer
 *  @param count  step number */
__device__ static inline float apply_dropout(float value, size_t i, float drop,
                                             uint64_t seed, int count)
{
    const uint64_t own = seed + (uint64_t)count * 0xd1342543de82ef95u;
    return uniform01(own, i) < drop ? 0 : value / (1 - drop);
}

/** The weights of a layer, [k][c][r][s], or [c][k] for a dense layer. */
struct weights {
    const float *first; /**< first element */
    int k, c, r, s;     /**< filters, channels, rows, columns */
    bool dense;         /**< dense layer? */
};

__device__ static inline float load_weight(const struct weights &w, int k,
                                           int c, int r, int s)
{
    if (k >= w.k || c >= w.c) return 0;
    return w.first[w.dense ? (size_t)c * w.k + k
                           : (((size_t)k * w.c + c) * w.r + r) * w.s + s];
}

/** Weights for one direction, and the offsets of its taps from a position. */
struct packed_weights {
    float *packed; /**< [taps][round_up(filters)], 16-byte rows; or NULL */
    int *taps;     /**< [taps] offsets, or NULL: nothing is needed */
    int channel_stride, row_stride, column_stride; /**< of taps */
};

/** A layer's weights for both directions: forward, where taps are by channel,
 *  and backward, rotated by 180 degrees.  There consecutive taps are
 *  round_up(k) filters of a pixel, so that four gradients are one load. */
struct layer_weights {
    struct weights w;                    /**< as stored */
    struct packed_weights forward, back; /**< packed */
};

/** A warp's part of packing the weights for one direction: all filters of a
 *  tap, whose place it computes once. */
__device__ static inline void
pack_weights(const struct weights &w,
             const struct packed_weights &packed_weights, bool back)
{
    const int plane = w.r * w.s, wide = round_up(back ? w.c : w.k);
    const int across = back ? round_up(w.k) : w.c;
    const int lane = threadIdx.x % WARP, warps = gridDim.x * blockDim.x / WARP;
    int tap = (int)(blockIdx.x * blockDim.x + threadIdx.x) / WARP;
    if (!packed_weights.taps) return;
    for (; tap < across * plane; tap += warps) {
        const int from = back ? tap % across : tap / plane;
        const int pixel = back ? tap / across : tap % plane;
        const int r = pixel / w.s, s = pixel % w.s;
        float *const packed = packed_weights.packed + (size_t)tap * wide;
        const int end = packed_weights.packed ? wide : 0;
        for (int filter = lane; filter < end; filter += WARP)
            packed[filter] =
                back ? load_weight(w, from, filter, w.r - 1 - r, w.s - 1 - s)
                     : load_weight(w, filter, from, r, s);
        if (lane == 0)
            packed_weights.taps[tap] = from * packed_weights.channel_stride
                                       + r * packed_weights.row_stride
                                       + s * packed_weights.column_stride;
    }
}

/** A copy of an activation, or of its gradient, to another layout; fused with
 *  the backward pass of ReLU and dropout. */
struct relayout {
    const float *from; /**< [n][c][h][w], or NULL */
    struct view to;    /**< destination */
    const float *mask;  /**< shape of `from`: the copy is 0 where mask <= 0; or
                             NULL */
    int n, c, h, w;   /**< sizes */
    float drop;       /**< see apply_dropout(); 0: no dropout */
    uint64_t seed;    /**< see apply_dropout() */
    const int *count; /**< see apply_dropout() */
};

/** Copy element i. */
__device__ static inline void relayout_element(const struct relayout &x,
                                               size_t i)
{
    const int plane = x.h * x.w, at = (int)(i % plane);
    const int channel = (int)(i / plane % x.c), n = (int)(i / plane / x.c);
    float value = x.from[i];
    if (x.drop > 0) value = apply_dropout(value, i, x.drop, x.seed, *x.count);
    if (x.mask && !(x.mask[i] > 0)) value = 0;
    view_at(x.to, n, at / x.w,
            at % x.w)[(size_t)channel * x.to.channel_stride] = value;
}

/** One thread per element. */
__global__ void relayout_kernel(struct relayout x)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < (size_t)x.n * x.c * x.h * x.w) relayout_element(x, i);
}

/** The work at the start of a step. */
struct prepare_args {
    struct layer_weights layer[LAYERS_PER_LAUNCH]; /**< row blockIdx.y of the
                                                        grid */
    int layers;           /**< number of layers; the row after them copies
                               images */
    struct relayout images; /**< to a buffer with padding, if needed */
    int *count;             /**< step number, to be incremented; or NULL */
};

/** Execute struct prepare_args. */
__global__ void prepare_step(const struct prepare_args all)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (all.count && i == 0 && blockIdx.y == 0) ++*all.count;
    if ((int)blockIdx.y < all.layers) {
        const struct layer_weights &x = all.layer[blockIdx.y];
        pack_weights(x.w, x.forward, false);
        pack_weights(x.w, x.back, true);
        return;
    }
    const struct relayout &x = all.images;
    const size_t count = (size_t)x.n * x.c * x.h * x.w;
    for (; x.from && i < count; i += (size_t)gridDim.x * blockDim.x)
        relayout_element(x, i);
}

#endif
