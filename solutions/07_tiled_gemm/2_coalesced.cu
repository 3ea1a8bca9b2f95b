/* SPDX-License-Identifier: MIT */
/** @file
 *  Matrix multiplication, step 2: coalesced accesses.  Consecutive lanes are
 *  consecutive in a row of C: two indices are swapped, nothing else. */
#include "host.h"

/** A thread owns one element of C, a block 32 by 32; threadIdx.x is the column.
 *
 *  No shared memory.  For each p the 32 lanes of a warp load one element of A
 *  together and 32 consecutive elements of B: 1 + 4 sectors.  Each element of A
 *  is still loaded n times and each of B m times; a cache serves a part of
 *  these loads.
 */
__global__ void multiply(const float *__restrict__ a,
                         const float *__restrict__ b, float *__restrict__ c,
                         unsigned m, unsigned n, unsigned k)
{
    unsigned row = tile_first_row() + threadIdx.y;
    unsigned col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;

    if (row >= m || col >= n) return;
    for (unsigned p = 0; p < k; p++)
        sum += a[(size_t)row * k + p] * b[(size_t)p * n + col];
    c[(size_t)row * n + col] = sum;
}
