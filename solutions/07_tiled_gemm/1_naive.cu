/* SPDX-License-Identifier: MIT */
/** @file
 *  Matrix multiplication, step 1: one element of C per thread, with consecutive
 *  lanes down a column of C (uncoalesced). */
#include "host.h"

/** A thread owns one element of C, a block 32 by 32; threadIdx.x is the row.
 *
 *  No shared memory.  For each p the 32 lanes of a warp load from 32 rows of A,
 *  one sector each, and all the same element of B: 33 sectors for 32
 *  multiplications.  Each element of A is loaded n times, each of B m times.
 */
__global__ void multiply(const float *__restrict__ a,
                         const float *__restrict__ b, float *__restrict__ c,
                         unsigned m, unsigned n, unsigned k)
{
    unsigned row = tile_first_row() + threadIdx.x;
    unsigned col = blockIdx.x * TILE + threadIdx.y;
    float sum = 0;

    if (row >= m || col >= n) return;
    for (unsigned p = 0; p < k; p++)
        sum += a[(size_t)row * k + p] * b[(size_t)p * n + col];
    c[(size_t)row * n + col] = sum;
}
