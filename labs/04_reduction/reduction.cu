/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 04: the sum or the maximum of a vector on the GPU.  The contract is in
 *  reduction.h. */
#include <math.h>

#include "grid.h"
#include "reduction.h"

enum { THREADS = 256 }; /* a block: 8 warps */

/** The identity element: combining it with x gives x. */
__device__ static inline float identity(int op)
{
    return op == REDUCTION_SUM ? 0.0f : -INFINITY;
}

/** Combine two values. `op` is the same for all threads, so there is no
 *  divergence. */
__device__ static inline float combine(float a, float b, int op)
{
    return op == REDUCTION_SUM ? a + b : fmaxf(a, b);
}

/** A block reduces THREADS elements of `in` to out[blockIdx.x].  Device
 *  pointers; `__restrict__` promises that they do not overlap. */
__global__ void reduce_block(const float *__restrict__ in,
                             float *__restrict__ out, size_t n, int op)
{
    __shared__ float s_value[THREADS];
    /* TODO 1: load this thread's element; past the end identity(op) */
    /* TODO 2: a tree: in each round half of the remaining threads combine two
     * values each; a barrier between the rounds, for all threads */
    /* TODO 3: thread 0 stores the result */
}

int reduction(const float *d_in, float *d_out, float *d_work, size_t n,
              int op)
{
    /* TODO 4: a pass stores one value per block in d_work; repeat with these
     * values until a single block stores d_out; also for n = 0 */
    return cudaErrorNotSupported;
}
