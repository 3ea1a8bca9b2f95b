/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 05: running sums of a vector on the GPU.  The contract is in scan.h. */
#include "grid.h"
#include "scan.h"

enum { TILE = 512 }; /* elements per block, one per thread */

/** Scan each tile separately, and store its sum in sums[blockIdx.x].  Device
 *  pointers; in and out may be the same. */
__global__ void scan_tiles(const float *in, float *out, float *sums, size_t n,
                           int kind)
{
    __shared__ float s_sum[2][TILE];
    /* TODO 1: load this thread's element; 0 past the end */
    /* TODO 2: rounds with offset = 1, 2, 4, ...: add to each sum the one
     * `offset` positions before it; load from one half of s_sum, store to the
     * other */
    /* TODO 3: store the inclusive or exclusive sums, and the tile's sum */
}

/** Add sums[b] to all elements of tile b. */
__global__ void add_tile_sums(float *out, const float *__restrict__ sums,
                              size_t n)
{
    /* TODO 4 */
}

int scan(const float *d_in, float *d_out, void *d_work, size_t n, int kind)
{
    if (n == 0) return cudaSuccess;
    /* TODO 5: scan the tiles, with their sums in d_work; scan these sums with
     * the same kernel (exclusive); add them to the tiles */
    return cudaErrorNotSupported;
}
