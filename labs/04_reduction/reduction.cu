/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 04: the sum or the largest of a vector on the GPU.  The contract is in
 *  reduction.h. */
#include <math.h>

#include "grid.h"
#include "reduction.h"

enum { THREADS = 256 }; /* a block: 8 warps */

/** What changes nothing when combined with anything. */
__device__ static inline float neutral(int op)
{
    return op == REDUCTION_SUM ? 0.0f : -INFINITY;
}

/** Two become one.  `op` is the same for all threads: nothing diverges. */
__device__ static inline float combine(float a, float b, int op)
{
    return op == REDUCTION_SUM ? a + b : fmaxf(a, b);
}

/** A block combines THREADS elements of in into out[blockIdx.x].  Device
 *  pointers; that they do not overlap is what `__restrict__` promises. */
__global__ void reduce_block(const float *__restrict__ in,
                             float *__restrict__ out, size_t n, int op)
{
    __shared__ float s_value[THREADS];
    /* TODO 1: this thread's element; past the end what changes nothing */
    /* TODO 2: a tree: in each round half of the threads left combine two
     * values each; a barrier between the rounds, for all threads */
    /* TODO 3: thread 0 writes what is left */
}

int reduction(const float *d_in, float *d_out, float *d_work, size_t n,
              int op)
{
    /* TODO 4: a pass leaves one value a block in d_work; further passes over
     * those, until a single block writes d_out; without elements as well */
    return cudaErrorNotSupported;
}
