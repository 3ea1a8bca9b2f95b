/* SPDX-License-Identifier: MIT */
/** @file
 *  The host code of the first three steps of lab 04: several passes, each with
 *  256 times fewer values than the one before.
 *
 *  The steps differ only in their kernel: each defines its `reduce_block`.
 */
#ifndef REDUCTION_PASSES_H
#define REDUCTION_PASSES_H

#include "reduction_op.h"

/** Reduce n elements of `in`, THREADS in each block; out[b] is the result of
 *  block b.  With n = 0 a single block writes the identity element. */
__global__ void reduce_block(const float *__restrict__ in,
                             float *__restrict__ out, size_t n, int op);

/* One launch with at least one block, since d_out is always written. */
static cudaError_t pass(const float *d_in, float *d_out, size_t n, int op)
{
    unsigned blocks = n ? (unsigned)ceil_div(n, THREADS) : 1;

    reduce_block<<<blocks, THREADS>>>(d_in, d_out, n, op);
    return CUDA_CHECK(cudaGetLastError());
}

/* The results of the first pass are at the start of d_work, those of the second
 * behind them, those of the third at the start again. */
int reduction(const float *d_in, float *d_out, float *d_work, size_t n,
              int op)
{
    float *d_next = d_work, *d_other = d_work + ceil_div(n, THREADS);
    cudaError_t err = cudaSuccess;

    while (!err && n > THREADS) {
        float *d_result = d_next;
        err = pass(d_in, d_result, n, op);
        n = ceil_div(n, THREADS);
        d_in = d_result;
        d_next = d_other;
        d_other = d_result;
    }
    return err ? err : pass(d_in, d_out, n, op);
}

#endif
