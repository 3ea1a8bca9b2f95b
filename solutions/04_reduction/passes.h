/* SPDX-License-Identifier: MIT */
/** @file
 *  The host's half of the first three steps of lab 04: passes, each 256 times
 *  as short as the one before.
 *
 *  The steps differ in their kernel alone: each defines its `reduce_block`.
 */
#ifndef REDUCTION_PASSES_H
#define REDUCTION_PASSES_H

#include "combine.h"

/** out[b] becomes the elements of block b combined, each block taking
 *  THREADS of the n of in, and the first one none if there are none. */
__global__ void reduce_block(const float *__restrict__ in,
                             float *__restrict__ out, size_t n, int op);

/* One launch of it: a block at least, as d_out is written in any case. */
static cudaError_t pass(const float *d_in, float *d_out, size_t n, int op)
{
    unsigned blocks = n ? (unsigned)tiles_for(n, THREADS) : 1;

    reduce_block<<<blocks, THREADS>>>(d_in, d_out, n, op);
    return CUDA_CHECK(cudaGetLastError());
}

/* The results of the first pass lie at the start of d_work, those of the
 * second behind them, those of the third at the start again. */
int reduction(const float *d_in, float *d_out, float *d_work, size_t n,
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
