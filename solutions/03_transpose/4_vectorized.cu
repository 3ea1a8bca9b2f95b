/* SPDX-License-Identifier: MIT */
/** @file
 *  Transpose, step 4: more bytes in flight: several rows per thread, and 16
 *  bytes per access where the shape and the pointers allow it. */
#include <stdint.h>

#include "tile.h"

enum { ROWS_PER_PASS = 8,        /* block 32 by 8: each thread moves 4 rows */
       WIDE_TILE = 64, WIDE_TILE_FLOAT4S = 16 }; /* the large tile: 64 by 64, 16
                                                  * float4 per row */

/** Any shape, 4-byte accesses: a thread moves 4 elements of a 32 by 32 tile.
 *
 *  Grid one block per tile, block 32 by 8, 4,224 bytes of shared memory.  Each
 *  element is loaded and stored once; four loads are in flight at the same
 *  time.  The barrier separates the stores to the tile from the loads from it;
 *  rows are padded as in step 3.
 */
__global__ void transpose_scalar(const float *__restrict__ in,
                                 float *__restrict__ out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];
    struct thread_coords p = get_thread_coords();

    for (int k = 0; k < TILE; k += ROWS_PER_PASS)
        if (p.in_row + k < (unsigned)rows && p.in_col < (unsigned)cols)
            tile[threadIdx.y + k][threadIdx.x] =
                in[(size_t)(p.in_row + k) * cols + p.in_col];
    __syncthreads();
    for (int k = 0; k < TILE; k += ROWS_PER_PASS)
        if (p.out_row + k < (unsigned)cols && p.out_col < (unsigned)rows)
            out[(size_t)(p.out_row + k) * rows + p.out_col] =
                tile[threadIdx.x][threadIdx.y + k];
}

/** Transpose four float4 in registers and store them to the tile. float4 q of
 *  column c is stored at q ^ (c / 4), a swizzle: eight lanes that store or load
 *  together use all 32 banks. */
__device__ static inline void
store_transposed(float4 (*tile)[WIDE_TILE_FLOAT4S], const float4 r[4])
{
    unsigned c = 4 * threadIdx.x, q = threadIdx.y ^ threadIdx.x;

    tile[c + 0][q] = make_float4(r[0].x, r[1].x, r[2].x, r[3].x);
    tile[c + 1][q] = make_float4(r[0].y, r[1].y, r[2].y, r[3].y);
    tile[c + 2][q] = make_float4(r[0].z, r[1].z, r[2].z, r[3].z);
    tile[c + 3][q] = make_float4(r[0].w, r[1].w, r[2].w, r[3].w);
}

/** Both sides multiples of 4, both pointers aligned to 16 bytes: 16-byte
 *  accesses.
 *
 *  A thread loads 4 by 4 elements and stores four float4; a block owns a tile
 *  of 64 by 64.  Block 16 by 16, 16,384 bytes of shared memory without padding.
 *  Each element is loaded and stored once, in runs of 256 bytes.  The barrier
 *  separates the stores to the tile from the loads from it.
 */
__global__ void transpose_float4(const float *__restrict__ in,
                                 float *__restrict__ out, int rows, int cols)
{
    __shared__ float4 tile[WIDE_TILE][WIDE_TILE_FLOAT4S];
    unsigned row0 = (blockIdx.z * gridDim.y + blockIdx.y) * WIDE_TILE;
    unsigned row = row0 + 4 * threadIdx.y;
    unsigned col = blockIdx.x * WIDE_TILE + 4 * threadIdx.x;
    float4 r[4] = {};

    if (row < (unsigned)rows && col < (unsigned)cols) /* then all 4 by 4
                                                       * elements are inside */
        for (int j = 0; j < 4; j++)
            r[j] = *(const float4 *)&in[(size_t)(row + j) * cols + col];
    store_transposed(tile, r);
    __syncthreads();
    for (int c = threadIdx.y; c < WIDE_TILE; c += WIDE_TILE_FLOAT4S) {
        unsigned out_row = blockIdx.x * WIDE_TILE + c;
        unsigned out_col = row0 + 4 * threadIdx.x;
        if (out_row < (unsigned)cols && out_col < (unsigned)rows)
            *(float4 *)&out[(size_t)out_row * rows + out_col] =
                tile[c][threadIdx.x ^ (c / 4)];
    }
}

/** Can all accesses to both matrices be float4? */
static bool can_use_float4(const float *d_in, const float *d_out, int rows,
                           int cols)
{
    return ((uintptr_t)d_in | (uintptr_t)d_out) % sizeof(float4) == 0 &&
           rows % 4 == 0 && cols % 4 == 0;
}

int transpose(const float *d_in, float *d_out, int rows, int cols)
{
    if (rows == 0 || cols == 0) return cudaSuccess;
    if (can_use_float4(d_in, d_out, rows, cols)) {
        const dim3 grid = grid_of_tiles(ceil_div(cols, WIDE_TILE),
                                        ceil_div(rows, WIDE_TILE));
        transpose_float4<<<grid, dim3(WIDE_TILE_FLOAT4S, WIDE_TILE_FLOAT4S)>>>(
            d_in, d_out, rows, cols);
    } else {
        transpose_scalar<<<grid_of_matrix(rows, cols),
                           dim3(TILE, ROWS_PER_PASS)>>>(d_in, d_out, rows,
                                                        cols);
    }
    return CUDA_CHECK(cudaGetLastError());
}
