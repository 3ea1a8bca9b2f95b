/* SPDX-License-Identifier: MIT */
/** @file
 *  Grid sizes: the arithmetic that every launch needs. */
#ifndef GRID_H
#define GRID_H

#include "check.h"

/** Tiles of `tile` elements needed to cover n elements: n / tile, rounded up.
 *  @param n     elements
 *  @param tile  elements of a tile, above 0 */
static inline size_t ceil_div(size_t n, size_t tile)
{
    return n / tile + (n % tile != 0);
}

/** Former name of ceil_div(), for files that still use it. */
static inline size_t tiles_for(size_t n, size_t tile)
{
    return ceil_div(n, tile);
}

/** A grid with one block for each tile of a matrix of any height.
 *
 *  gridDim.x may reach 2^31 - 1, but gridDim.y only 65,535; the grid continues
 *  in z.  In the kernel the row of tiles is blockIdx.z * gridDim.y +
 *  blockIdx.y.  It may lie below the last row: such a block must return as a
 *  whole.
 *
 *  @param tiles_x  tiles in a row, 1 to 2^31 - 1
 *  @param tiles_y  rows of tiles, at least 1 */
static inline dim3 grid_of_tiles(size_t tiles_x, size_t tiles_y)
{
    const size_t limit = 65535;
    size_t grid_z = ceil_div(tiles_y, limit);

    return dim3((unsigned)tiles_x, (unsigned)ceil_div(tiles_y, grid_z),
                (unsigned)grid_z);
}

/** Blocks for a grid-stride loop: enough to fill each multiprocessor several
 *  times, and not more than there are elements.
 *
 *  @param[out] blocks   number of blocks, at least 1
 *  @param      items    iterations of the loop over all threads
 *  @param      threads  threads per block
 *  @return cudaSuccess, or the error of the device query */
static inline cudaError_t grid_stride_blocks(unsigned *blocks, size_t items,
                                             unsigned threads)
{
    const unsigned per_sm = 32; /* 4 waves of 8 blocks: a short tail */
    size_t needed = ceil_div(items, threads);
    int device = 0, sms = 1;
    cudaError_t err = CUDA_CHECK(cudaGetDevice(&device));

    if (!err)
        err = CUDA_CHECK(cudaDeviceGetAttribute(
            &sms, cudaDevAttrMultiProcessorCount, device));
    *blocks = per_sm * (unsigned)sms;
    if (needed < *blocks) *blocks = needed ? (unsigned)needed : 1;
    return err;
}

#endif
