/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 05: running sums of a vector on the GPU.  The contract is in scan.h. */
#include "grid.h"
#include "scan.h"

enum { TILE = 512 }; /* elements that a block scans, one a thread */

/** Scan each tile for itself, and write its sum to sums[blockIdx.x].  Device
 *  pointers; in and out may be the same. */
__global__ void scan_tiles(const float *in, float *out, float *sums, size_t n,
                           int kind)
{
    __shared__ float s_sum[2][TILE];
    /* TODO 1: this thread's element, 0 past the end */
    /* TODO 2: rounds: with gap = 1, 2, 4, ... each sum takes the one `gap`
     * places before it; read one half of s_sum, write the other */
    /* TODO 3: store what `kind` asks for, and the tile's sum */
}

/** Add sums[b] to all elements of tile b. */
__global__ void add_sums(float *out, const float *__restrict__ sums, size_t n)
{
    /* TODO 4 */
}

int scan(const float *d_in, float *d_out, void *d_work, size_t n, int kind)
{
    if (n == 0) return cudaSuccess;
    /* TODO 5: scan the tiles, their sums into d_work; scan those sums, by the
     * same means, for what comes before each tile; add it */
    return cudaErrorNotSupported;
}
