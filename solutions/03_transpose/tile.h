/* SPDX-License-Identifier: MIT */
/** @file
 *  Where a tile of the transpose lies, and their grid: what the
 *  steps with a tile share. */
#ifndef TRANSPOSE_TILE_H
#define TRANSPOSE_TILE_H

#include "grid.h"
#include "transpose.h"

enum { TILE = 32 }; /* elements a side: a warp's width */

/** The input's element that this thread would read if its block read one
 *  element a thread, and the output's that it would write. */
struct place {
    unsigned in_row, in_col;   /**< of the input, rows by cols */
    unsigned out_row, out_col; /**< of the output, cols by rows */
};

/** This thread's place in the block's tile: tile (i, j) of the input is tile
 *  (j, i) of the output, and lanes run along rows in both. */
__device__ static inline struct place place_in_tile(void)
{
    unsigned tile_row = blockIdx.z * gridDim.y + blockIdx.y;
    struct place p;

    p.in_row = tile_row * TILE + threadIdx.y;
    p.in_col = blockIdx.x * TILE + threadIdx.x;
    p.out_row = blockIdx.x * TILE + threadIdx.y;
    p.out_col = tile_row * TILE + threadIdx.x;
    return p;
}

/** One block a tile of a rows by cols input, neither of them 0. */
static inline dim3 grid_of_matrix(int rows, int cols)
{
    return grid_of_tiles(tiles_for(cols, TILE), tiles_for(rows, TILE));
}

#endif
