/* SPDX-License-Identifier: MIT */
/** @file
 *  What steps 2 to 4 share: eight elements at a time, tails, and the order of
 *  tiles.  Moving them, all 16-bit types are alike.
 */
#ifndef TENSOR_ROWS_H
#define TENSOR_ROWS_H

#include <stdint.h>

#include "host.h"

enum { CHUNK = 8 }; /* elements in 16 bytes */

/** A matrix by rows. */
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

/** May every row be read 16 bytes at a time, without a rest? */
static bool is_wide(struct matrix x)
{
    return x.columns % CHUNK == 0 && (uintptr_t)x.data % 16 == 0;
}

/** Elements [row][column] and the next seven; 0 past the matrix.
 *  @tparam wide  is_wide(x), and column is a multiple of 8 */
template <bool wide>
__device__ static inline uint4 eight(struct matrix x, int row, int column)
{
    unsigned word[4] = {0, 0, 0, 0};

    if (row >= x.rows || column >= x.columns) return make_uint4(0, 0, 0, 0);
    const uint16_t *from = x.data + (size_t)row * x.columns + column;
    if constexpr (wide) {
        return *(const uint4 *)from;
    } else {
#pragma unroll
        for (int i = 0; i < CHUNK; i++)
            if (column + i < x.columns)
                word[i / 2] |= (unsigned)from[i] << i % 2 * 16;
        return make_uint4(word[0], word[1], word[2], word[3]);
    }
}

/** Store two neighbours of a row of C, as far as they are inside. */
__device__ static inline void store_pair(float *c, struct shape s, int row,
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

/** Where in C a tile begins. */
struct place {
    int row, column;
};

/** Tile number i: down eight rows of tiles, then one to the right.  So tiles
 *  that run together share rows of A and columns of B, in L2.
 *
 *  @param down, across  tiles in a column, in a row
 *  @param rows, columns  of a tile
 */
__device__ static inline struct place tile_at(unsigned i, unsigned down,
                                              unsigned across, int rows,
                                              int columns)
{
    const unsigned most = 8, group = i / (most * across);
    const unsigned left = down - group * most;
    const unsigned height = left < most ? left : most;
    const unsigned in = i - group * most * across;

    return {(int)(group * most + in % height) * rows,
            (int)(in / height) * columns};
}

#endif
