/* SPDX-License-Identifier: MIT */
/** @file
 *  What only moves numbers to where weighted.h wants them; a thread an
 *  element that is written. */
#ifndef CNN_TRAINER_MOVED_H
#define CNN_TRAINER_MOVED_H

#include "weighted.h"

enum { THREADS = 256 };

/** Blocks for n threads. */
static inline unsigned blocks_for(size_t n)
{
    return (unsigned)tiles_for(n, THREADS);
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

/** Weights for the way forward, [c][r][s][whole(k)], and for the way back,
 *  turned by 180 degrees, [k][r][s][whole(c)].  The step's first launch also
 *  counts the step.
 *  @param forward  or NULL
 *  @param back     or NULL
 *  @param count    or NULL */
__global__ void pack(struct weights w, float *forward, float *back, int *count)
{
    const int wide_k = whole(w.k), wide_c = whole(w.c), plane = w.r * w.s;
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const int rest = (int)(i / wide_k), turned = (int)(i / wide_c);
    if (count && i == 0) ++*count;
    if (i < (size_t)w.c * plane * wide_k)
        forward[i] = weight_of(w, i % wide_k, rest / plane, rest / w.s % w.r,
                               rest % w.s);
    if (back && i < (size_t)w.k * plane * wide_c)
        back[i] = weight_of(w, turned / plane, i % wide_c,
                            w.r - 1 - turned / w.s % w.r,
                            w.s - 1 - turned % w.s);
}

/** Images with zeros round them and between their pixels. */
struct spread {
    const float *from; /**< [planes][h][w] */
    float *to;         /**< [planes][rows][cols] */
    int planes, h, w, rows, cols; /**< sizes */
    int top, left;     /**< where pixel (0, 0) comes to, even outside */
    int gap;           /**< from a pixel to the next */
};

/** See struct spread. */
__global__ void spread_out(struct spread x)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const size_t plane = (size_t)x.rows * x.cols;
    if (i >= x.planes * plane) return;

    const int y = (int)(i % plane / x.cols) - x.top;
    const int at = (int)(i % x.cols) - x.left;
    const bool there = y >= 0 && at >= 0 && y % x.gap == 0 && at % x.gap == 0
                       && y / x.gap < x.h && at / x.gap < x.w;
    x.to[i] = there ? x.from[(i / plane * x.h + y / x.gap) * x.w + at / x.gap]
                    : 0;
}

/** [n][k][positions] as [n][positions][whole(k)], filled up with zeros. */
__global__ void turn(const float *from, float *to, int n, int k,
                     int positions)
{
    const int stretch = whole(k);
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (size_t)n * positions * stretch) return;

    const int filter = (int)(i % stretch);
    const size_t at = i / stretch, image = at / positions;
    to[i] = filter < k ? from[(image * k + filter) * positions
                              + at % positions] : 0;
}

#endif
