/* SPDX-License-Identifier: MIT */
/** @file
 *  What steps 2 to 4 share: loads of eight elements, stores with bounds checks,
 *  and the order of tiles.  Loads treat all 16-bit types alike. */
#ifndef TENSOR_LOAD_STORE_H
#define TENSOR_LOAD_STORE_H

#include <stdint.h>

#include "host.h"

enum { CHUNK = 8 }; /* elements in 16 bytes */

/** A row-major matrix of 16-bit elements. */
struct matrix {
    const uint16_t *data;
    int rows, columns;
};

/** A, m x k. */
static struct matrix matrix_a(const void *d_a, struct shape s)
{
    return {(const uint16_t *)d_a, s.m, s.k};
}

/** B, k x n. */
static struct matrix matrix_b(const void *d_b, struct shape s)
{
    return {(const uint16_t *)d_b, s.k, s.n};
}

/** Can every row be loaded 16 bytes at a time, without a tail? */
static bool is_vector_aligned(struct matrix x)
{
    return x.columns % CHUNK == 0 && (uintptr_t)x.data % 16 == 0;
}

/** Elements [row][column] and the next seven; 0 outside the matrix.
 *  @tparam vectorized  is_vector_aligned(x), and column is a multiple of 8 */
template <bool vectorized>
__device__ static inline uint4 load_8(struct matrix x, int row, int column)
{
    unsigned word[4] = {0, 0, 0, 0};

    if (row >= x.rows || column >= x.columns) return make_uint4(0, 0, 0, 0);
    const uint16_t *from = x.data + (size_t)row * x.columns + column;
    if constexpr (vectorized) {
        return *(const uint4 *)from;
    } else {
#pragma unroll
        for (int i = 0; i < CHUNK; i++)
            if (column + i < x.columns)
                word[i / 2] |= (unsigned)from[i] << i % 2 * 16;
        return make_uint4(word[0], word[1], word[2], word[3]);
    }
}

/** Store two consecutive elements of a row of C, with bounds checks. */
__device__ static inline void store_float2(float *c, struct shape s, int row,
                                           int column, const float *pair)
{
    float *to = c + (size_t)row * s.n + column;

    if (row >= s.m || column >= s.n) return;
    if (column + 1 < s.n && (uintptr_t)to % sizeof(float2) == 0) {
        *(float2 *)to = make_float2(pair[0], pair[1]);
    } else {
        to[0] = pair[0];
        if (column + 1 < s.n) to[1] = pair[1];
    }
}

/** The origin of a tile in C. */
struct tile_coord {
    int row, column;
};

/** The origin of tile number i: down eight rows of tiles, then one to the
 *  right.  So tiles that run at the same time share rows of A and columns of B
 *  in L2.
 *  @param down,  across tiles in a column, in a row
 *  @param rows,  columns of a tile */
__device__ static inline struct tile_coord rasterize_tile(unsigned i,
                                                          unsigned down,
                                                          unsigned across,
                                                          int rows, int columns)
{
    const unsigned most = 8, warpgroup = i / (most * across);
    const unsigned left = down - warpgroup * most;
    const unsigned height = left < most ? left : most;
    const unsigned in = i - warpgroup * most * across;

    return {(int)(warpgroup * most + in % height) * rows,
            (int)(in / height) * columns};
}

#endif
