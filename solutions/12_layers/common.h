/* SPDX-License-Identifier: MIT */
/** @file
 *  What all steps of lab 12 share: shapes and launches. */
#ifndef LAYERS_COMMON_H
#define LAYERS_COMMON_H

#include <limits.h>
#include <math.h>

#include "grid.h"
#include "layers.h"

enum { THREADS = 256, LANES = 32, WARPS = THREADS / LANES }; /* a block */

/** A shape as kernels get it: `plane` elements for each channel and image. */
struct planes {
    unsigned n;     /**< images */
    unsigned c;     /**< channels */
    unsigned plane; /**< height times width */
};

/** The channel of element i. */
__device__ static inline unsigned channel_of(unsigned i, struct planes p)
{
    return i / p.plane % p.c;
}

/** Number of elements, or -1 if the shape is invalid. */
static inline int element_count(const struct layer_shape *shape,
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

/** ReLU of x; a NaN stays NaN. */
__device__ static inline float relu(float x)
{
    return x < 0 ? 0 : x;
}

/** The gradient before a ReLU, from its output y. */
__device__ static inline float relu_grad(float y, float y_grad)
{
    return y <= 0 ? 0 : y_grad;
}

/** Number of blocks for n > 0 items, one per thread. */
static inline unsigned blocks_for(int n)
{
    return (unsigned)ceil_div((size_t)n, THREADS);
}

/** Index of this thread in the grid. */
__device__ static inline unsigned global_thread_index(void)
{
    return blockIdx.x * THREADS + threadIdx.x;
}

#endif
