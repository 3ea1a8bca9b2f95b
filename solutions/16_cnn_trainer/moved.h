/* SPDX-License-Identifier: MIT */
/** @file
 *  What only moves numbers to where weighted.h wants them. */
#ifndef CNN_TRAINER_MOVED_H
#define CNN_TRAINER_MOVED_H

#include <stdint.h>

#include "weighted.h"

enum {
    THREADS = 256,
    AT_ONCE = 16   /**< layers that a launch prepares */
};

/** Blocks for n threads. */
static inline unsigned blocks_for(size_t n)
{
    return (unsigned)tiles_for(n, THREADS);
}

/** A number in [0, 1) for element i: splitmix64 of a counter. */
__device__ static inline float chance(uint64_t seed, uint64_t i)
{
    uint64_t z = seed + (i + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (float)((z ^ z >> 31) >> 40) * 0x1p-24f;
}

/** What dropout does to element i: set a share to 0, the same in both
 *  directions.
 *  @param seed   of this layer
 *  @param count  the step's number */
__device__ static inline float dropped(float value, size_t i, float drop,
                                       uint64_t seed, int count)
{
    const uint64_t own = seed + (uint64_t)count * 0xd1342543de82ef95u;
    return chance(own, i) < drop ? 0 : value / (1 - drop);
}

/** A layer's weights, [k][c][r][s], or [c][k] of a dense one. */
struct weights {
    const float *first; /**< of them */
    int k, c, r, s;     /**< filters, channels, rows, columns */
    bool dense;         /**< which of the two */
};

__device__ static inline float weight_of(const struct weights &w, int k, int c,
                                         int r, int s)
{
    if (k >= w.k || c >= w.c) return 0;
    return w.first[w.dense ? (size_t)c * w.k + k
                           : (((size_t)k * w.c + c) * w.r + r) * w.s + s];
}

/** Weights for one direction, and where its taps lie from a position. */
struct way {
    float *packed; /**< [taps][whole(filters)], or NULL */
    int *taps;     /**< [taps] */
    int channel, row, column; /**< from a tap to the next */
};

/** A layer's weights both ways: forward, where taps are by channel, and back,
 *  turned by 180 degrees, where taps are by filter. */
struct prepared {
    struct weights w; /**< as they are */
    struct way forward, back; /**< as they are wanted */
};

/** A thread's share of one direction. */
__device__ static inline void prepare_way(const struct weights &w,
                                          const struct way &way, bool back)
{
    const int plane = w.r * w.s, wide = whole(back ? w.c : w.k);
    const size_t count = (size_t)(back ? w.k : w.c) * plane * wide;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (!way.packed) return;
    for (; i < count; i += (size_t)gridDim.x * blockDim.x) {
        const int tap = (int)(i / wide), filter = (int)(i % wide);
        const int from = tap / plane, r = tap / w.s % w.r, s = tap % w.s;
        way.packed[i] = back ? weight_of(w, from, filter, w.r - 1 - r,
                                         w.s - 1 - s)
                             : weight_of(w, filter, from, r, s);
        if (filter == 0)
            way.taps[tap] = from * way.channel + r * way.row + s * way.column;
    }
}

/** An activation, or its gradient, on its way to another order; ReLU's and
 *  dropout's way back is taken along. */
struct moving {
    const float *from;  /**< [n][c][h][w], or NULL */
    struct view to;     /**< where it goes */
    const float *mask;  /**< like `from`: 0 where it is not above 0; or NULL */
    int n, c, h, w;     /**< sizes */
    float drop;         /**< see dropped(); 0: none */
    uint64_t seed;      /**< likewise */
    const int *count;   /**< likewise */
};

/** Element i of it. */
__device__ static inline void move_one(const struct moving &x, size_t i)
{
    const int plane = x.h * x.w, at = (int)(i % plane);
    const int channel = (int)(i / plane % x.c), n = (int)(i / plane / x.c);
    float value = x.from[i];
    if (x.drop > 0) value = dropped(value, i, x.drop, x.seed, *x.count);
    if (x.mask && !(x.mask[i] > 0)) value = 0;
    at_view(x.to, n, at / x.w, at % x.w)[(size_t)channel * x.to.channel] =
        value;
}

/** A thread an element. */
__global__ void move(struct moving x)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < (size_t)x.n * x.c * x.h * x.w) move_one(x, i);
}

/** What a step begins with. */
struct preparation {
    struct prepared layer[AT_ONCE]; /**< row blockIdx.y of the grid */
    int layers;           /**< of them; the row after moves images */
    struct moving images; /**< to where they have a border, if need be */
    int *count;           /**< the step's number, that grows; or NULL */
};

/** See struct preparation. */
__global__ void prepare(const struct preparation all)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (all.count && i == 0 && blockIdx.y == 0) ++*all.count;
    if ((int)blockIdx.y < all.layers) {
        const struct prepared &x = all.layer[blockIdx.y];
        prepare_way(x.w, x.forward, false);
        prepare_way(x.w, x.back, true);
        return;
    }
    const struct moving &x = all.images;
    const size_t count = (size_t)x.n * x.c * x.h * x.w;
    for (; x.from && i < count; i += (size_t)gridDim.x * blockDim.x)
        move_one(x, i);
}

#endif
