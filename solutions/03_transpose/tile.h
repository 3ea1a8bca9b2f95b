/* SPDX-License-Identifier: MIT */
/** @file
 *  The coordinates of a thread in a tile, and the grid: shared by the steps
 *  with a tile. */
#ifndef TRANSPOSE_TILE_H
#define TRANSPOSE_TILE_H

#include "grid.h"
#include "transpose.h"

enum { TILE = 32 }; /* elements per side: the width of a warp */

/** The element of the input that this thread loads, and the element of the
 *  output that it stores, with one element per thread. */
struct thread_coords {
    unsigned in_row, in_col;   /**< in the input, rows by cols */
    unsigned out_row, out_col; /**< in the output, cols by rows */
};

/** The coordinates of this thread: tile (i, j) of the input is tile (j, i) of
 *  the output, and lanes are consecutive along the rows of both. */
__device__ static inline struct thread_coords get_thread_coords(void)
{
    unsigned tile_row = blockIdx.z * gridDim.y + blockIdx.y;
    struct thread_coords p;

    p.in_row = tile_row * TILE + threadIdx.y;
    p.in_col = blockIdx.x * TILE + threadIdx.x;
    p.out_row = blockIdx.x * TILE + threadIdx.y;
    p.out_col = tile_row * TILE + threadIdx.x;
    return p;
}

/** A grid with one block per tile of a rows by cols input; neither is 0. */
static inline dim3 grid_of_matrix(int rows, int cols)
{
    return grid_of_tiles(ceil_div(cols, TILE), ceil_div(rows, TILE));
}

#endif
