/* SPDX-License-Identifier: MIT */
/** @file
 *  The tiles of warps and threads in a block of four warps: introduced in step
 *  4, used in step 5.
 *
 *  The block tile is divided into 2 by 2 warp tiles, and a warp tile among 8 by
 *  4 lanes.  A lane owns float4 of rows, 32 apart, and float4 of columns, 16
 *  apart: with one load of A's fragment the warp loads 32 consecutive floats,
 *  with one of B's 16.  Lanes n ^ 1 share rows and lanes n ^ 2 share columns;
 *  some GPUs then need only half the wavefronts for a 16-byte load.
 */
#ifndef FAST_GEMM_WARP_TILE_H
#define FAST_GEMM_WARP_TILE_H

#include "gemm.h"

enum { THREADS = 128, TILE_K = 8, STRIDE_Y = 32, STRIDE_X = 16,
       PAD = 4 /* rows stay aligned to 16 bytes, without bank conflicts */ };

/** The origin of a block's tile in C, or of a thread's first float4 in the
 *  tile. */
struct tile_coord {
    unsigned y, x; /**< row and column */
};

/** The origin of this thread in the block tile; a warp tile is `height` by
 *  `width`. */
__device__ static inline struct tile_coord thread_tile_origin(unsigned height,
                                                              unsigned width)
{
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    struct tile_coord k0;

    k0.y = warp / 2 * height + ((lane >> 1 & 1) | (lane >> 2 & 6)) * 4;
    k0.x = warp % 2 * width + ((lane & 1) | (lane >> 1 & 2)) * 4;
    return k0;
}

#endif
