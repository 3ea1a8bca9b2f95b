/* SPDX-License-Identifier: MIT */
/** @file
 *  ldmatrix and mma.m16n8k16.  Which lane holds which element is from the PTX
 *  ISA, sections "ldmatrix" and "Matrix Fragments for mma.m16n8k16".
 */
#ifndef SOFTGPU_PTX_MATRIX_H
#define SOFTGPU_PTX_MATRIX_H

#include <cstring>

#include "../wmma_product.h"

namespace softgpu {
namespace ptx {

/** a of mma: 16 x 16. */
template <typename T> struct factor_a : wmma::elements<16, 16, T> {
    /** Row and column of element i of a lane. */
    SOFTGPU_FN static wmma::place where(int lane, int i)
    {
        return { lane / 4 + 8 * (i >> 1 & 1),
                 2 * (lane % 4) + (i & 1) + 8 * (i >> 2) };
    }
};

/** b of mma: 16 x 8. */
template <typename T> struct factor_b : wmma::elements<16, 8, T> {
    /** Row and column of element i of a lane. */
    SOFTGPU_FN static wmma::place where(int lane, int i)
    {
        return { 2 * (lane % 4) + (i & 1) + 8 * (i >> 1), lane / 4 };
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

template <int count>
SOFTGPU_FN void ptx_ldmatrix(unsigned *r, const void *s_row)
{
    softgpu::ptx::load_matrix<count, false>(r, s_row);
}

template <int count>
SOFTGPU_FN void ptx_ldmatrix_trans(unsigned *r, const void *s_row)
{
    softgpu::ptx::load_matrix<count, true>(r, s_row);
}

template <typename T>
SOFTGPU_NO_INSTRUMENT void ptx_mma(float *d, const unsigned *a,
                                   const unsigned *b)
{
    softgpu::ptx::factor_a<T> fa;
    softgpu::ptx::factor_b<T> fb;
    softgpu::wmma::sum<16, 8, float> sum;

    std::memcpy((void *)fa.x, a, sizeof fa.x);
    std::memcpy((void *)fb.x, b, sizeof fb.x);
    std::memcpy(sum.x, d, sizeof sum.x);
    softgpu::wmma::multiply_by_warp(fa, fb, sum, sum, false);
    std::memcpy(d, sum.x, sizeof sum.x);
}

#endif
