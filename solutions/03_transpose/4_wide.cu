/* SPDX-License-Identifier: MIT */
// BEGIN SOLUTION
/** @file
 *  Transpose, step 4: more bytes in flight: several rows a thread, and 16
 *  bytes an access where the shape and the pointers allow them. */
#include <stdint.h>

#include "tile.h"

enum { ROWS_A_TURN = 8,        /* block 32 by 8: each thread moves 4 rows */
       SIDE = 64, QUADS = 16 }; /* the wide tile: 64 by 64, 16 quads a row */

/** Any shape, 4-byte accesses: a thread moves 4 elements of a 32 by 32 tile.
 *
 *  Grid one block a tile, block 32 by 8, 4,224 bytes of shared memory.  Each
 *  element is read and written once; four loads are under way at a time.  The
 *  barrier separates filling the tile from reading it; rows are padded, as in
 *  step 3.
 */
// HANDOUT
// /** @file
//  *  Lab 03: transpose a matrix on the GPU.  The contract is in transpose.h. */
// #include "check.h"
// #include "transpose.h"
//
// /** One thread, one element: out[c][r] = in[r][c].  Device pointers; that
//  *  they do not overlap is what `__restrict__` promises. */
// END SOLUTION
__global__ void transpose_any(const float *__restrict__ in,
                              float *__restrict__ out, int rows, int cols)
{
// BEGIN SOLUTION
    __shared__ float tile[TILE][TILE + 1];
    struct place p = place_in_tile();

    for (int k = 0; k < TILE; k += ROWS_A_TURN)
        if (p.in_row + k < (unsigned)rows && p.in_col < (unsigned)cols)
            tile[threadIdx.y + k][threadIdx.x] =
                in[(size_t)(p.in_row + k) * cols + p.in_col];
    __syncthreads();
    for (int k = 0; k < TILE; k += ROWS_A_TURN)
        if (p.out_row + k < (unsigned)cols && p.out_col < (unsigned)rows)
            out[(size_t)(p.out_row + k) * rows + p.out_col] =
                tile[threadIdx.x][threadIdx.y + k];
// HANDOUT
//     /* TODO 1: this thread's row and column, from a 2-D grid; lanes of a
//      * warp (threadIdx.x) should lie side by side in memory */
//     /* TODO 2: move one element; indices in size_t */
// END SOLUTION
}

// BEGIN SOLUTION
/** Turn four rows of four in registers and put them into the tile.
 *  Quad q of column c lies at q ^ (c / 4): eight lanes that store or load
 *  together meet all 32 banks either way. */
__device__ static inline void put_turned(float4 (*tile)[QUADS],
                                         const float4 r[4])
{
    unsigned c = 4 * threadIdx.x, q = threadIdx.y ^ threadIdx.x;

    tile[c + 0][q] = make_float4(r[0].x, r[1].x, r[2].x, r[3].x);
    tile[c + 1][q] = make_float4(r[0].y, r[1].y, r[2].y, r[3].y);
    tile[c + 2][q] = make_float4(r[0].z, r[1].z, r[2].z, r[3].z);
    tile[c + 3][q] = make_float4(r[0].w, r[1].w, r[2].w, r[3].w);
}

/** Both sides multiples of 4, both pointers of 16 bytes: 16-byte accesses.
 *
 *  A thread owns 4 by 4 elements on the way in and four quads on the way out;
 *  a block a tile of 64 by 64.  Block 16 by 16, 16,384 bytes of shared memory
 *  without padding.  Each element is read and written once, 256 bytes in a
 *  row.  The barrier separates filling the tile from reading it.
 */
__global__ void transpose_wide(const float *__restrict__ in,
                               float *__restrict__ out, int rows, int cols)
{
    __shared__ float4 tile[SIDE][QUADS];
    unsigned row0 = (blockIdx.z * gridDim.y + blockIdx.y) * SIDE;
    unsigned row = row0 + 4 * threadIdx.y;
    unsigned col = blockIdx.x * SIDE + 4 * threadIdx.x;
    float4 r[4] = {};

    if (row < (unsigned)rows && col < (unsigned)cols) /* so are all 4 by 4 */
        for (int j = 0; j < 4; j++)
            r[j] = *(const float4 *)&in[(size_t)(row + j) * cols + col];
    put_turned(tile, r);
    __syncthreads();
    for (int c = threadIdx.y; c < SIDE; c += QUADS) {
        unsigned out_row = blockIdx.x * SIDE + c;
        unsigned out_col = row0 + 4 * threadIdx.x;
        if (out_row < (unsigned)cols && out_col < (unsigned)rows)
            *(float4 *)&out[(size_t)out_row * rows + out_col] =
                tile[c][threadIdx.x ^ (c / 4)];
    }
}

/** May every quad of both matrices be moved as 16 bytes? */
static bool wide_allowed(const float *d_in, const float *d_out, int rows,
                         int cols)
{
    return ((uintptr_t)d_in | (uintptr_t)d_out) % sizeof(float4) == 0 &&
           rows % 4 == 0 && cols % 4 == 0;
}

// END SOLUTION
int transpose(const float *d_in, float *d_out, int rows, int cols)
{
// BEGIN SOLUTION
    if (rows == 0 || cols == 0) return cudaSuccess;
    if (wide_allowed(d_in, d_out, rows, cols)) {
        const dim3 grid = grid_of_tiles(tiles_for(cols, SIDE),
                                        tiles_for(rows, SIDE));
        transpose_wide<<<grid, dim3(QUADS, QUADS)>>>(d_in, d_out, rows, cols);
    } else {
        transpose_any<<<grid_of_matrix(rows, cols), dim3(TILE, ROWS_A_TURN)>>>(
            d_in, d_out, rows, cols);
    }
    return CUDA_CHECK(cudaGetLastError());
// HANDOUT
//     /* TODO 3: nothing to launch for an empty matrix */
//     /* TODO 4: block and grid; gridDim.y ends at 65,535; launch */
//     return cudaErrorNotSupported; /* TODO 5: CUDA_CHECK(cudaGetLastError()) */
// END SOLUTION
}
