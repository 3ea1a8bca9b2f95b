/* SPDX-License-Identifier: MIT */
/** @file
 *  wgmma: a product is computed when its group is waited for; each warp
 *  computes 16 rows.  Operands are loaded from the addresses in the descriptor
 *  (PTX ISA, "Matrix descriptor" and "Strides" of wgmma), so a wrong one fails
 *  here, too.
 */
#ifndef SOFTGPU_PTX_WGMMA_H
#define SOFTGPU_PTX_WGMMA_H

#include <type_traits>

#include "../async_copy.h"
#include "../wmma_product.h"

namespace softgpu {
namespace ptx {

enum { WARPGROUP_THREADS = 128 /**< threads of a warpgroup */ };

/** Owner of the batches of products (softgpu/async_copy.h). */
inline const char wgmma_groups = 0;

/** A decoded descriptor. */
struct tile {
    unsigned start, leading, stride; /**< bytes */
};

/** Decode a descriptor; another layout fails the kernel. */
SOFTGPU_FN tile decode_descriptor(uint64_t descriptor)
{
    if (descriptor >> 62 != 1 || (descriptor >> 49 & 7) != 0)
        softgpu_fail(719, "wgmma: the descriptor is not of 128-byte swizzle, "
                     "all that the software GPU has");
    return {(unsigned)(descriptor & 0x3fff) << 4,
            (unsigned)(descriptor >> 16 & 0x3fff) << 4,
            (unsigned)(descriptor >> 32 & 0x3fff) << 4};
}

/** The 16 bytes of a tile at an offset before swizzling. */
SOFTGPU_FN const void *chunk(unsigned offset)
{
    const unsigned place = offset ^ (offset >> 3 & 0x70);
    if (place + 16 > softgpu_tls.shared_bytes)
        softgpu_fail(719, "wgmma: the descriptor addresses byte %u of %u "
                     "bytes of shared memory", place, softgpu_tls.shared_bytes);
    return softgpu_tls.shared + place;
}

/** Chunk `half` (8 elements) of row `row`, rows along k. */
SOFTGPU_FN const void *chunk_of_row(const tile &t, unsigned row, unsigned half)
{
    return chunk(t.start + row / 8 * t.stride + row % 8 * 128 + 16 * half);
}

/** Columns 8 * j to 8 * j + 7 of row k, rows along n. */
SOFTGPU_FN const void *chunk_of_columns(const tile &t, unsigned k, unsigned j)
{
    return chunk(t.start + j / 8 * t.leading + k / 8 * t.stride + k % 8 * 128
                 + 16 * (j % 8));
}

/** Chunk i of a tile with rows along k, in an order in which eight consecutive
 *  chunks use all banks. */
SOFTGPU_FN const void *chunk_of_rows(const tile &t, unsigned i)
{
    return chunk_of_row(t, i / 16 * 8 + i % 8, i / 8 % 2);
}

/** Chunk i of the 2 * n of b, in either layout. */
template <bool by_rows, int n>
SOFTGPU_FN const void *chunk_of_b(const tile &b, unsigned i)
{
    return by_rows ? chunk_of_columns(b, i / (n / 8), i % (n / 8))
                   : chunk_of_rows(b, i);
}

/** Rank of the calling thread in its warpgroup. */
SOFTGPU_FN unsigned rank_in_warpgroup()
{
    return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z))
           % WARPGROUP_THREADS;
}

/** Operands of one lane. */
struct lane_operands {
    float *d;
    uint64_t a, b;
    unsigned warp;
};

/** Eight elements as floats. */
template <typename T> SOFTGPU_FN void to_floats(float *to, const void *from)
{
    for (int i = 0; i < 8; i++)
        to[i] = (float)((const T *)from)[i];
}

/** Columns 8 * j to 8 * j + 7 of b. */
template <typename T, bool by_rows>
SOFTGPU_FN void gather_b(wmma::matrix<float, 16, 8> &to, const tile &b,
                         unsigned j)
{
    float row[16];
    for (unsigned i = 0; by_rows && i < 16; i++)
        to_floats<T>(to.at[i], chunk_of_columns(b, i, j));
    for (unsigned i = 0; !by_rows && i < 8; i++) {
        to_floats<T>(row, chunk_of_row(b, 8 * j + i, 0));
        to_floats<T>(row + 8, chunk_of_row(b, 8 * j + i, 1));
        for (int k = 0; k < 16; k++)
            to.at[k][i] = row[k];
    }
}

/** The warp's 16 rows of d, eight columns at a time. */
template <typename T, int n, bool by_rows, bool accumulates>
SOFTGPU_NO_INSTRUMENT void multiply(const uint64_t *all)
{
    typedef wmma::sum<16, 8, float> part;
    const lane_operands &first = *(const lane_operands *)all[0];
    for (int lane = 1; lane < 32; lane++) {
        const lane_operands &other = *(const lane_operands *)all[lane];
        if (other.a != first.a || other.b != first.b)
            softgpu_fail(719, "wgmma: the lanes of a warp have different "
                         "descriptors");
    }
    const tile ta = decode_descriptor(first.a), tb = decode_descriptor(first.b);
    wmma::matrix<float, 16, 16> a;
    wmma::matrix<float, 16, 8> b, sum = {};

    for (unsigned row = 0; row < 16; row++)
        for (unsigned half = 0; half < 2; half++)
            to_floats<T>(&a.at[row][8 * half],
                         chunk_of_row(ta, 16 * first.warp + row, half));
    for (int j = 0; j < n / 8; j++) {
        gather_b<T, by_rows>(b, tb, (unsigned)j);
        for (int lane = 0; lane < 32; lane++)
            for (int i = 0; i < 4; i++) {
                const wmma::place p = part::where(lane, i);
                const float *d = ((const lane_operands *)all[lane])->d;
                sum.at[p.row][p.column] = accumulates ? d[4 * j + i] : 0;
            }
        wmma::accumulate(sum, a, b);
        for (int lane = 0; lane < 32; lane++)
            for (int i = 0; i < 4; i++) {
                const wmma::place p = part::where(lane, i);
                ((lane_operands *)all[lane])->d[4 * j + i] =
                    sum.at[p.row][p.column];
            }
    }
}

/** The product, at the wait for its group: called by all lanes. */
template <typename T, int n, bool by_rows, bool accumulates>
SOFTGPU_NO_INSTRUMENT void product(void *d, const void *a, size_t b)
{
    const lane_operands mine = { (float *)d, (uint64_t)a, b,
                                 rank_in_warpgroup() / 32 };
    SOFTGPU_OPERAND(*(float (*)[n / 2])d, 1, __builtin_return_address(0));
    softgpu_warp_combine((uint64_t)&mine, multiply<T, n, by_rows, accumulates>);
}

/** Enqueue the loads of a thread's part of the operands. */
template <int n, bool by_rows>
SOFTGPU_FN void read_operands(uint64_t a, uint64_t b)
{
    const tile ta = decode_descriptor(a), tb = decode_descriptor(b);
    const unsigned me = rank_in_warpgroup();

    softgpu_copy_async(&wgmma_groups, NULL, chunk_of_rows(ta, me), 16);
    for (unsigned i = me; i < 2 * n; i += WARPGROUP_THREADS)
        softgpu_copy_async(&wgmma_groups, NULL, (chunk_of_b<by_rows, n>(tb, i)),
                           16);
}

} // namespace ptx
} // namespace softgpu

SOFTGPU_FN void ptx_wgmma_fence() {}

template <typename T, int n, bool by_rows>
SOFTGPU_FN void ptx_wgmma(float (&d)[n / 2], uint64_t a, uint64_t b,
                          bool accumulates)
{
    using namespace softgpu::ptx;
    static_assert(n == 128 || n == 256, "n is 128 or 256");
    read_operands<n, by_rows>(a, b);
    softgpu_call_async(&wgmma_groups,
                       accumulates ? product<T, n, by_rows, true>
                                   : product<T, n, by_rows, false>,
                       d, (const void *)a, b);
}

SOFTGPU_FN void ptx_wgmma_commit()
{
    softgpu_copy_commit(&softgpu::ptx::wgmma_groups);
}

template <int pending> SOFTGPU_FN void ptx_wgmma_wait()
{
    softgpu_copy_wait(&softgpu::ptx::wgmma_groups, pending);
}

/** The compiler allocates registers; only the number is checked. */
template <int registers> SOFTGPU_FN void ptx_setmaxnreg_inc()
{
    static_assert(registers >= 24 && registers <= 256 && registers % 8 == 0,
                  "a multiple of 8 from 24 to 256");
}
/** The same. */
template <int registers> SOFTGPU_FN void ptx_setmaxnreg_dec()
{
    ptx_setmaxnreg_inc<registers>();
}

#endif
