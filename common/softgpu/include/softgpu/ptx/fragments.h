/* SPDX-License-Identifier: MIT */
/** @file
 *  Fragments of mma and ldmatrix: which lane holds which element, from the PTX
 *  ISA, sections "Matrix Fragments for mma..." and "ldmatrix".  With
 *  g = lane / 4 and t = lane % 4, a 32-bit register holds n neighbors along k,
 *  n = 1 (tf32), 2 (16 bits) or 4 (8 bits):
 *
 *      a, register r: row g, or g + 8 if r is odd and a has 16 rows;
 *                     columns n t and following, of the next 4 n every second
 *      b, register r: column g; rows n t + 4 n r and following
 *      c and d: as wmma's accumulators (wmma_fragment.h)
 */
#ifndef SOFTGPU_PTX_FRAGMENTS_H
#define SOFTGPU_PTX_FRAGMENTS_H

#include "../wmma_fragment.h"

namespace softgpu {
namespace ptx {

/** Elements of T in a register. */
template <typename T> constexpr int neighbors()
{
    constexpr int bytes = (int)sizeof(typename wmma::element<T>::storage);
    return bytes < 4 ? 4 / bytes : 1;
}

/** a of mma: m x k. */
template <int m, int k, typename T> struct factor_a : wmma::elements<m, k, T> {
    /** Row and column of element i of a lane. */
    SOFTGPU_FN static wmma::place where(int lane, int i)
    {
        constexpr int n = neighbors<T>();
        const int r = i / n, along = n * (lane % 4) + i % n;
        return m == 8 ? wmma::place{ lane / 4, along + 4 * n * r }
                      : wmma::place{ lane / 4 + 8 * (r & 1),
                                     along + 4 * n * (r >> 1) };
    }
};

/** b of mma: k x n. */
template <int k, int columns, typename T>
struct factor_b : wmma::elements<k, columns, T> {
    /** Row and column of element i of a lane. */
    SOFTGPU_FN static wmma::place where(int lane, int i)
    {
        constexpr int n = neighbors<T>();
        return { n * (lane % 4) + i % n + 4 * n * (i / n), lane / 4 };
    }
};

/** Operands of one lane of ldmatrix: a row of eight elements, 16 bytes. */
struct lane_row {
    unsigned short row[8];
    unsigned *to; /**< its results, `count` */
};

/** An element of a matrix whose rows the lanes loaded. */
SOFTGPU_FN unsigned element(const uint64_t *all, int matrix, int row,
                            int column)
{
    return ((const lane_row *)all[8 * matrix + row])->row[column];
}

/** Distribute the rows of all lanes to the fragments of all lanes. */
template <int count, bool transposed>
SOFTGPU_NO_INSTRUMENT void distribute_rows(const uint64_t *all)
{
    for (int lane = 0; lane < 32; lane++) {
        const int g = lane / 4, t = 2 * (lane % 4);
        unsigned *to = ((const lane_row *)all[lane])->to;
        for (int m = 0; m < count; m++)
            to[m] = transposed ? element(all, m, t, g)
                                     | element(all, m, t + 1, g) << 16
                               : element(all, m, g, t)
                                     | element(all, m, g, t + 1) << 16;
    }
}

/** ldmatrix: each of the first 8 * count lanes loads a row in one access. */
template <int count, bool transposed>
SOFTGPU_FN void load_matrix(unsigned *r, const void *s_row)
{
    typedef access<16>::type word;
    unsigned fragment[4];
    lane_row mine = { {}, fragment };

    static_assert(count == 1 || count == 2 || count == 4, "1, 2 or 4");
    if (softgpu_lane_id() < 8 * count) {
        if (!softgpu_is_shared(s_row))
            softgpu_fail(719, "ldmatrix: not in shared memory");
        if ((size_t)s_row % 16)
            softgpu_fail(716, "ldmatrix: pointer not aligned to 16 bytes");
        *(word *)mine.row = *(const word *)s_row;
    }
    softgpu_warp_combine((uint64_t)&mine, distribute_rows<count, transposed>);
    for (int m = 0; m < count; m++)
        r[m] = fragment[m];
}

} // namespace ptx
} // namespace softgpu

#endif
