/* SPDX-License-Identifier: MIT */
/** @file
 *  Who owns what in a block of four warps: what step 4 brings and step 5
 *  keeps.
 *
 *  The block's tile is cut into 2 by 2 warps, a warp's part into 8 by 4 lanes.
 *  A lane owns quads of rows, 32 apart, and quads of columns, 16 apart: in one
 *  load of A's fragment the warp reads 32 floats in a row, in one of B's 16.
 *  Lanes n ^ 1 share rows and lanes n ^ 2 share columns, for which some cards
 *  need only half of the wavefronts of a 16-byte load.
 */
#ifndef FAST_GEMM_WARP_H
#define FAST_GEMM_WARP_H

#include "product.h"

enum { THREADS = 128, DEEP = 8, GAP_Y = 32, GAP_X = 16,
       PAD = 4 /* quads of turned rows stay aligned and meet no bank twice */ };

/** Where something begins: a block's tile in C, a thread's first quad in the
 *  tile. */
struct place {
    unsigned y, x; /**< row and column */
};

/** This thread's place, a warp's part being `height` by `width`. */
__device__ static inline struct place place_in_tile(unsigned height,
                                                    unsigned width)
{
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    struct place at;

    at.y = warp / 2 * height + ((lane >> 1 & 1) | (lane >> 2 & 6)) * 4;
    at.x = warp % 2 * width + ((lane & 1) | (lane >> 1 & 2)) * 4;
    return at;
}

#endif
