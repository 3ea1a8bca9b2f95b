/* SPDX-License-Identifier: MIT */
/** @file
 *  How many blocks: the arithmetic every launch needs. */
#ifndef GRID_H
#define GRID_H

#include "check.h"

/** Tiles of `tile` elements that cover n, the last one perhaps in part. */
static inline size_t tiles_for(size_t n, size_t tile)
{
    return n / tile + (n % tile != 0);
}

/** A grid of tiles of any height.
 *
 *  gridDim.x reaches 2^31 - 1 but gridDim.y only 65,535: the rest goes to z.
 *  In the kernel the row of tiles is blockIdx.z * gridDim.y + blockIdx.y, and
 *  may lie below the last one: a block there must return as a whole.
 *
 *  @param across  tiles a row, 1 to 2^31 - 1
 *  @param down    rows of tiles, at least 1
 */
static inline dim3 grid_of_tiles(size_t across, size_t down)
{
    const size_t limit = 65535;
    size_t folds = tiles_for(down, limit);

    return dim3((unsigned)across, (unsigned)tiles_for(down, folds),
                (unsigned)folds);
}

/** Blocks for a grid-stride loop: enough to fill every multiprocessor many
 *  times over, and no more than there are items.
 *
 *  @param[out] blocks   the number, at least 1
 *  @param      items    what the loop counts, one a thread and turn
 *  @param      threads  threads a block
 *  @return cudaSuccess or the error of asking the device
 */
static inline cudaError_t grid_stride_blocks(unsigned *blocks, size_t items,
                                             unsigned threads)
{
    const unsigned per_sm = 32; /* 4 rounds of 8 blocks: a short last round */
    size_t wanted = tiles_for(items, threads);
    int device = 0, sms = 1;
    cudaError_t err = CUDA_CHECK(cudaGetDevice(&device));

    if (!err)
        err = CUDA_CHECK(cudaDeviceGetAttribute(
            &sms, cudaDevAttrMultiProcessorCount, device));
    *blocks = per_sm * (unsigned)sms;
    if (wanted < *blocks) *blocks = wanted ? (unsigned)wanted : 1;
    return err;
}

#endif
