/* SPDX-License-Identifier: MIT */
// BEGIN SOLUTION
/** @file
 *  What every step of lab 12 begins with: shapes, and launches. */
#ifndef LAYERS_COMMON_H
#define LAYERS_COMMON_H

// END SOLUTION
#include <limits.h>
#include <math.h>

#include "grid.h"
#include "layers.h"

enum { THREADS = 256, LANES = 32, WARPS = THREADS / LANES }; /* a block */

/** A shape as kernels take it: `plane` places of each channel and image. */
struct planes {
    unsigned n;     /**< images */
    unsigned c;     /**< channels */
    unsigned plane; /**< height times width */
};

/** The channel that element i belongs to. */
__device__ static inline unsigned channel_of(unsigned i, struct planes p)
{
    return i / p.plane % p.c;
}

/** Elements of the shape, or -1 when it makes no sense. */
static inline int shape_count(const struct layer_shape *shape,
                              struct planes *planes)
{
    const int sizes[] = {shape->n, shape->c, shape->h, shape->w};
    long long count = 1;

    for (int i = 0; i < 4; i++) {
        count *= sizes[i];
        if (sizes[i] < 0 || count > INT_MAX) return -1;
    }
    planes->n = (unsigned)shape->n;
    planes->c = (unsigned)shape->c;
    planes->plane = (unsigned)shape->h * (unsigned)shape->w;
    return (int)count;
}

/** What stays of x behind a ReLU; a NaN stays. */
__device__ static inline float relu(float x)
{
    return x < 0 ? 0 : x;
}

/** What passes a ReLU backward that gave y. */
__device__ static inline float relu_grad(float y, float y_grad)
{
    return y <= 0 ? 0 : y_grad;
}

/** Blocks for n > 0 items, one a thread. */
static inline unsigned blocks_for(int n)
{
    return (unsigned)tiles_for((size_t)n, THREADS);
}

/** This thread's number in the grid. */
__device__ static inline unsigned thread_number(void)
{
    return blockIdx.x * THREADS + threadIdx.x;
}
// BEGIN SOLUTION

#endif
// END SOLUTION
