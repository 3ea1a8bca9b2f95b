/* SPDX-License-Identifier: MIT */
/** @file
 *  mma and ldmatrix of inline PTX: all lanes of a warp together.  Part of
 *  inline_ptx.h.  softcc makes of
 *
 *      mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {...}, {...}, {...},
 *      {...};
 *
 *  the call mma<16, 8, 8, false, float, f16, f16, float>(all registers).
 */
#ifndef SOFTGPU_INLINE_PTX_MATRIX_H
#define SOFTGPU_INLINE_PTX_MATRIX_H

#include <tuple>
#include <utility>

#include "inline_ptx_memory.h"
#include "small/format.h"

struct __half;
struct __nv_bfloat16;

#include "ptx/fragments.h"
#include "wmma_product.h"

namespace softgpu {
namespace ptx {

/** A 16-bit float, without the operators of CUDA's types. */
template <class Encoding> struct small_float {
    unsigned short code; /**< its bits */
    small_float() = default;
    /** Round to nearest even. */
    SOFTGPU_FN small_float(float x) : code(Encoding::narrow(x)) {}
    /** The same value. */
    SOFTGPU_FN operator float() const { return Encoding::widen(code); }
};
typedef small_float<half_encoding> f16;      /**< .f16 */
typedef small_float<bfloat16_encoding> bf16; /**< .bf16 */
typedef nvcuda::wmma::precision::tf32 tf32;  /**< .tf32 */

} // namespace ptx

namespace wmma {
/** Products of f16 are summed in float. */
template <> struct accumulator_of<ptx::f16> { typedef float type; };
/** Products of bf16 likewise. */
template <> struct accumulator_of<ptx::bf16> { typedef float type; };
} // namespace wmma

namespace ptx {

/** Registers of an operand: 32 bits each, 64 for double. */
template <class F> constexpr int registers()
{
    return (int)(sizeof(F::x) / (sizeof(F::x[0]) == 8 ? 8 : 4));
}

/** Copy registers from `first` on to a fragment. */
template <class W, class F>
SOFTGPU_FN void take(F &to, const W *all, int first)
{
    memcpy((void *)to.x, all + first, sizeof to.x);
}

/** Store registers in the first operands. */
template <class W, class V, size_t... i>
SOFTGPU_FN void give(const V &operands, const W *from,
                     std::index_sequence<i...>)
{
    (set(std::get<i>(operands), from[i]), ...);
}

/** d = a b + c, for m x k and k x n; the operands are the registers of d, a, b
 *  and c. */
template <int m, int n, int k, bool saturates, class D, class A, class B,
          class C, class... V>
SOFTGPU_NO_INSTRUMENT void mma(V &&...operands)
{
    typedef std::conditional_t<std::is_same<D, double>::value, uint64_t,
                               uint32_t> word;
    typedef wmma::sum<m, n, D> sum_d;
    typedef wmma::sum<m, n, C> sum_c;
    typedef factor_a<m, k, A> part_a;
    typedef factor_b<k, n, B> part_b;
    constexpr int at_a = registers<sum_d>(),
                  at_b = at_a + registers<part_a>(),
                  at_c = at_b + registers<part_b>();
    static_assert(sizeof...(V) == at_c + registers<sum_c>(),
                  "mma: the number of registers is not that of the shape");
    const void *const site = __builtin_return_address(0);
    int i = 0;
    (SOFTGPU_OPERAND(operands, i++ < at_a, site), ...);
    (void)site, (void)i;
    const word all[] = { get<word>(operands)... };
    part_a a;
    part_b b;
    sum_c c;
    sum_d d;
    take(a, all, at_a);
    take(b, all, at_b);
    take(c, all, at_c);
    wmma::multiply_by_warp(a, b, c, d, saturates);
    word results[at_a];
    memcpy(results, d.x, sizeof results);
    give(std::forward_as_tuple(operands...), results,
         std::make_index_sequence<at_a>());
}

/** @cond: ldmatrix.x1, .x2, .x4, with .trans */
#define SOFTGPU_LDMATRIX(name, transposed)                                    \
    template <class T, class D>                                               \
    SOFTGPU_FN void name##_x1(D &&d, const char *row)                         \
    {                                                                         \
        unsigned r[1];                                                        \
        load_matrix<1, transposed>(r, row);                                   \
        set(d, r[0]);                                                         \
    }                                                                         \
    template <class T, class D, class E>                                      \
    SOFTGPU_FN void name##_x2(D &&d, E &&e, const char *row)                  \
    {                                                                         \
        unsigned r[2];                                                        \
        load_matrix<2, transposed>(r, row);                                   \
        set(d, r[0]), set(e, r[1]);                                           \
    }                                                                         \
    template <class T, class D, class E, class F, class G>                    \
    SOFTGPU_FN void name##_x4(D &&d, E &&e, F &&f, G &&g, const char *row)    \
    {                                                                         \
        unsigned r[4];                                                        \
        load_matrix<4, transposed>(r, row);                                   \
        set(d, r[0]), set(e, r[1]), set(f, r[2]), set(g, r[3]);               \
    }
SOFTGPU_LDMATRIX(ldmatrix, false)
SOFTGPU_LDMATRIX(ldmatrix_trans, true)
#undef SOFTGPU_LDMATRIX
/** @endcond */

} // namespace ptx
} // namespace softgpu

#endif
