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
    /** Where element i of a lane is. */
    SOFTGPU_FN static wmma::place where(int lane, int i)
    {
        return {lane / 4 + 8 * (i >> 1 & 1),
                2 * (lane % 4) + (i & 1) + 8 * (i >> 2)};
    }
};

/** b of mma: 16 x 8. */
template <typename T> struct factor_b : wmma::elements<16, 8, T> {
    /** Where element i of a lane is. */
    SOFTGPU_FN static wmma::place where(int lane, int i)
    {
        return {2 * (lane % 4) + (i & 1) + 8 * (i >> 1), lane / 4};
    }
};

/** What a lane brings to ldmatrix: a row, eight elements, of 16 bytes. */
struct row_share {
    unsigned short row[8];
    unsigned *to; /**< its results, `count` */
};

/** An element of a matrix whose rows the lanes brought. */
SOFTGPU_FN unsigned element(const uint64_t *all, int matrix, int row,
                            int column)
{
    return ((const row_share *)all[8 * matrix + row])->row[column];
}

/** Hand the rows of all lanes out to all lanes. */
template <int count, bool transposed>
SOFTGPU_UNWATCHED void exchange(const uint64_t *all)
{
    for (int lane = 0; lane < 32; lane++) {
        const int g = lane / 4, t = 2 * (lane % 4);
        unsigned *to = ((const row_share *)all[lane])->to;
        for (int m = 0; m < count; m++)
            to[m] = transposed
                ? element(all, m, t, g) | element(all, m, t + 1, g) << 16
                : element(all, m, g, t) | element(all, m, g, t + 1) << 16;
    }
}

/** ldmatrix: the row is one access of 16 bytes, by the lanes that count. */
template <int count, bool transposed>
SOFTGPU_FN void load_matrix(unsigned *r, const void *s_row)
{
    typedef access<16>::type word;
    unsigned got[4];
    row_share mine = {{}, got};

    static_assert(count == 1 || count == 2 || count == 4, "1, 2 or 4");
    if (softgpu_lane() < 8 * count) {
        if (!softgpu_is_shared(s_row))
            softgpu_fail(719, "ldmatrix: not in shared memory");
        if ((size_t)s_row % 16)
            softgpu_fail(716, "ldmatrix: pointer not aligned to 16 bytes");
        *(word *)mine.row = *(const word *)s_row;
    }
    softgpu_warp_combine((uint64_t)&mine, exchange<count, transposed>);
    for (int m = 0; m < count; m++)
        r[m] = got[m];
}

} // namespace ptx
} // namespace softgpu

template <int count>
SOFTGPU_FN void ptx_load_matrix(unsigned *r, const void *s_row)
{
    softgpu::ptx::load_matrix<count, false>(r, s_row);
}

template <int count>
SOFTGPU_FN void ptx_load_matrix_transposed(unsigned *r, const void *s_row)
{
    softgpu::ptx::load_matrix<count, true>(r, s_row);
}

template <typename T>
SOFTGPU_UNWATCHED void ptx_mma(float *d, const unsigned *a, const unsigned *b)
{
    softgpu::ptx::factor_a<T> fa;
    softgpu::ptx::factor_b<T> fb;
    softgpu::wmma::sum<16, 8, float> sum;

    std::memcpy((void *)fa.x, a, sizeof fa.x);
    std::memcpy((void *)fb.x, b, sizeof fb.x);
    std::memcpy(sum.x, d, sizeof sum.x);
    softgpu::wmma::take_part(fa, fb, sum, sum, false);
    std::memcpy(d, sum.x, sizeof sum.x);
}

#endif
