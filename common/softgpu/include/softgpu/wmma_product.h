/* SPDX-License-Identifier: MIT */
/** @file
 *  The product behind nvcuda::wmma::mma_sync().
 *
 *  Each lane passes the addresses of its fragments and waits.  The last lane to
 *  arrive computes the product of the whole warp and stores the results of all
 *  lanes: one switch for each lane, and one loop that the compiler
 *  vectorizes.
 */
#ifndef SOFTGPU_WMMA_PRODUCT_H
#define SOFTGPU_WMMA_PRODUCT_H

#include "wmma_fragment.h"

namespace softgpu {
namespace wmma {

/** The operands of one lane; valid until the lane's call returns. */
struct lane_operands {
    const void *a, *b, *c;
    void *d;
    bool saturate;
};

/** The type in which products of T are summed. */
template <typename T> struct accumulator_of { typedef int type; };
/** @cond: all floats in float */
template <> struct accumulator_of<__half> { typedef float type; };
template <> struct accumulator_of<__nv_bfloat16> { typedef float type; };
template <> struct accumulator_of<float> { typedef float type; };
template <> struct accumulator_of<double> { typedef double type; };
/** @endcond */

/** An element as a factor: tf32 ignores the 13 low bits of a float.  The checks
 *  may see a copy of a class: it is none of the lane's own. */
template <typename T>
SOFTGPU_FN typename accumulator_of<T>::type as_factor(const T &x)
{
    return (typename accumulator_of<T>::type)x;
}
SOFTGPU_FN float as_factor(const float &x)
{
    return bits<float>(bits<unsigned int>(x) & ~0x1FFFu);
}

/** A whole matrix, row-major. */
template <typename T, int rows, int columns> struct alignas(64) matrix {
    T at[rows][columns];
};

/** Gather a factor from the fragments of all lanes. */
template <typename F, typename M>
SOFTGPU_FN void gather_operand(M &to, const uint64_t *all,
                               const void *lane_operands::*operand)
{
    for (int lane = 0; lane < 32; lane++) {
        const F &f = *(const F *)(((const lane_operands *)all[lane])->*operand);
        for (int i = 0; i < F::num_elements; i++) {
            place p = F::where(lane, i);
            to.at[p.row][p.column] = as_factor(f.x[i]);
        }
    }
}

/** c += a * b, k ascending; eight elements of a row of c at a time. */
template <typename T, int m, int n, int k>
SOFTGPU_FN void accumulate(matrix<T, m, n> &c, const matrix<T, m, k> &a,
                           const matrix<T, k, n> &b)
{
    typedef T vec8 __attribute__((vector_size(8 * sizeof(T)), may_alias));
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j += 8) {
            vec8 sum = *(const vec8 *)&c.at[i][j];
            for (int l = 0; l < k; l++)
                sum += a.at[i][l] * *(const vec8 *)&b.at[l][j];
            *(vec8 *)&c.at[i][j] = sum;
        }
}

/** product + c for int: wraps, or saturates. */
SOFTGPU_FN int add_to_accumulator(int product, int c, bool saturate)
{
    long long sum = (long long)product + c;
    if (saturate && sum != (int)sum)
        return sum < 0 ? -2147483647 - 1 : 2147483647;
    return (int)sum;
}
/** The sum includes c already. */
template <typename T> SOFTGPU_FN T add_to_accumulator(T sum, T, bool)
{
    return sum;
}

/** Initial value of a sum: c, for int 0 (see add_to_accumulator). */
template <typename T> SOFTGPU_FN T initial_sum(T c) { return c; }
/** The same for int. */
SOFTGPU_FN int initial_sum(int) { return 0; }

/** Assign to an element of another lane, without the copy constructor of a
 *  class. */
template <typename T> SOFTGPU_FN void assign(T &to, const T &value)
{
    __builtin_memcpy((void *)&to, (const void *)&value, sizeof to);
}

/** d = a * b + c for the whole warp.
 *  @param all  addresses of the operands of the 32 lanes */
template <typename A, typename B, typename C, typename D>
SOFTGPU_NO_INSTRUMENT void multiply(const uint64_t *all)
{
    typedef typename accumulator_of<typename A::storage_type>::type T;
    constexpr int m = A::rows, k = A::columns, n = B::columns;
    matrix<T, m, k> a;
    matrix<T, k, n> b;
    matrix<T, m, n> sum, c;
    gather_operand<A>(a, all, &lane_operands::a);
    gather_operand<B>(b, all, &lane_operands::b);
    for (int lane = 0; lane < 32; lane++)
        for (int i = 0; i < C::num_elements; i++) {
            const C &f = *(const C *)((const lane_operands *)all[lane])->c;
            place p = C::where(lane, i);
            c.at[p.row][p.column] = (T)f.x[i];
            sum.at[p.row][p.column] = initial_sum((T)f.x[i]);
        }
    accumulate(sum, a, b);
    for (int lane = 0; lane < 32; lane++) {
        lane_operands *s = (lane_operands *)all[lane];
        for (int i = 0; i < D::num_elements; i++) {
            place p = D::where(lane, i);
            assign(((D *)s->d)->x[i],
                   (typename D::storage_type)add_to_accumulator(
                       sum.at[p.row][p.column], c.at[p.row][p.column],
                       s->saturate));
        }
    }
}

/** Called by all lanes: d = a * b + c. */
template <typename A, typename B, typename C, typename D>
SOFTGPU_NO_INSTRUMENT void multiply_by_warp(const A &a, const B &b, const C &c,
                                        D &d, bool saturate)
{
    const lane_operands own = { &a, &b, &c, &d, saturate };
    const void *const site = __builtin_return_address(0);
    SOFTGPU_OPERAND(a, 0, site);
    SOFTGPU_OPERAND(b, 0, site);
    SOFTGPU_OPERAND(c, 0, site);
    SOFTGPU_OPERAND(d, 1, site);
    (void)site;
    softgpu_warp_combine((uint64_t)&own, multiply<A, B, C, D>);
}

} // namespace wmma
} // namespace softgpu

#endif
