/* SPDX-License-Identifier: MIT */
/** @file
 *  nvcuda::wmma: products of small matrices by a warp, as on tensor cores.
 *
 *  Shapes m x n x k: half and bfloat16, 8-bit integers 16x16x16, 32x8x16 and
 *  8x32x16; tf32 16x16x8; double 8x8x4.  All 32 lanes of a warp make each call
 *  together; it waits for them.
 *
 *  Rounding: each element of the result is that of c plus a * b for k = 0, 1,
 *  ..., accumulated in float (double, int).  Products are exact in float; a
 *  half accumulator is rounded once, at the end.  A card accumulates in another
 *  order, so compare with a tolerance.
 */
#ifndef SOFTGPU_MMA_H
#define SOFTGPU_MMA_H
#define __CUDA_MMA_H__ /* programs ask for it */

#include "softgpu/push_macros.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "softgpu/abi.h"
#include "softgpu/wmma_fragment.h"
#include "softgpu/wmma_product.h"

namespace nvcuda {
namespace wmma {

/** Set every element of the fragment. */
template <typename U, int m, int n, int k, typename T, typename L>
SOFTGPU_FN void fill_fragment(
    fragment<U, m, n, k, T, L> &f,
    const typename fragment<U, m, n, k, T, L>::storage_type &value)
{
    for (int i = 0; i < f.num_elements; i++)
        f.x[i] = value;
}

/** Load a matrix_a or matrix_b.  The call waits for all lanes, but what they
 *  stored before it may not be visible: that takes a __syncwarp().
 *  @param[out] f       elements of the calling lane
 *  @param[in]  from    first element; aligned to 32 bytes
 *  @param      stride  elements from one row (column, if col_major) to the
 *                      next; a multiple of 16 bytes */
template <typename U, int m, int n, int k, typename T, typename L>
inline void load_matrix_sync(
    fragment<U, m, n, k, T, L> &f,
    const typename fragment<U, m, n, k, T, L>::element_type *from,
    unsigned stride)
{
    static_assert(!U::accumulates, "an accumulator's layout must be given");
    softgpu::wmma::meet_lanes();
    f.load(from, stride, softgpu::wmma::lane());
}

/** Load an accumulator. */
template <int m, int n, int k, typename T>
inline void load_matrix_sync(fragment<accumulator, m, n, k, T> &f,
                             const T *from, unsigned stride, layout_t layout)
{
    softgpu::wmma::meet_lanes();
    int lane = softgpu::wmma::lane();
    for (int i = 0; i < f.num_elements; i++)
        f.x[i] = from[f.where(lane, i).offset(stride, layout)];
}

/** Store an accumulator.  The call waits for all lanes, but the stores of other
 *  lanes are not ordered before what follows it: that takes a __syncwarp().
 *  @param[out] to      m x n elements
 *  @param      stride  elements from one row (column) to the next */
template <int m, int n, int k, typename T>
inline void store_matrix_sync(T *to, const fragment<accumulator, m, n, k, T> &f,
                              unsigned stride, layout_t layout)
{
    softgpu::wmma::meet_lanes();
    int lane = softgpu::wmma::lane();
    for (int i = 0; i < f.num_elements; i++)
        to[f.where(lane, i).offset(stride, layout)] = f.x[i];
    softgpu::wmma::meet_lanes();
}

/** d = a * b + c; d may be c.
 *  @param saturate  int only: stop at the ends of the range, else wrap */
template <int m, int n, int k, typename A, typename LA, typename B, typename LB,
          typename C, typename D>
inline void mma_sync(fragment<accumulator, m, n, k, D> &d,
                     const fragment<matrix_a, m, n, k, A, LA> &a,
                     const fragment<matrix_b, m, n, k, B, LB> &b,
                     const fragment<accumulator, m, n, k, C> &c,
                     bool saturate = false)
{
    softgpu::wmma::multiply_by_warp(a, b, c, d, saturate);
}

/** A float with its mantissa rounded to tf32's 10 bits, ties away from 0. */
SOFTGPU_FN float __float_to_tf32(float x)
{
    unsigned int code = __float_as_uint(x);
    return x - x != 0.0f ? x : __uint_as_float((code + 0x1000u) & ~0x1FFFu);
}

} // namespace wmma
} // namespace nvcuda

#include "softgpu/pop_macros.h"

#endif
