/* SPDX-License-Identifier: MIT */
// BEGIN SOLUTION
/** @file
 *  The two operations of lab 04, and the passes that its first three steps
 *  are launched in. */
#ifndef REDUCTION_COMBINE_H
#define REDUCTION_COMBINE_H

// END SOLUTION
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
// BEGIN SOLUTION

/** A step's launch: d_out[b] becomes the elements of block b combined, each
 *  block taking THREADS of the n in d_in, and the first block taking none if
 *  there are none.
 *  @return cudaSuccess or the launch's error */
typedef cudaError_t pass_fn(const float *d_in, float *d_out, size_t n,
                            int op);

/** Do what reduction.h promises with passes, each 256 times as short as the
 *  one before.  The results of the first pass lie at the start of d_work,
 *  those of the second behind them, those of the third at the start again. */
static cudaError_t reduce_in_passes(pass_fn *pass, const float *d_in,
                                    float *d_out, float *d_work, size_t n,
                                    int op)
{
    float *d_next = d_work, *d_other = d_work + tiles_for(n, THREADS);
    cudaError_t err = cudaSuccess;

    while (!err && n > THREADS) {
        float *d_result = d_next;
        err = pass(d_in, d_result, n, op);
        n = tiles_for(n, THREADS);
        d_in = d_result;
        d_next = d_other;
        d_other = d_result;
    }
    return err ? err : pass(d_in, d_out, n, op);
}

#endif
// END SOLUTION
