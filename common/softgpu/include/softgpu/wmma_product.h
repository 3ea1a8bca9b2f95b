/* SPDX-License-Identifier: MIT */
/** @file
 *  The product behind nvcuda::wmma::mma_sync().
 *
 *  Every lane shows where its fragments are and waits.  The last lane to come
 *  computes the whole warp's product, into all lanes' results: one switch a
 *  lane, and one loop that the compiler vectorises.
 */
#ifndef SOFTGPU_WMMA_PRODUCT_H
#define SOFTGPU_WMMA_PRODUCT_H

#include "wmma_fragment.h"

namespace softgpu {
namespace wmma {

/** What one lane shows the others; lives until that lane's call ends. */
struct share {
    const void *a, *b, *c;
    void *d;
    bool saturate;
};

/** The type in which products of T are summed. */
template <typename T> struct summed { typedef int type; };
/** @cond: all floats in float */
template <> struct summed<__half> { typedef float type; };
template <> struct summed<__nv_bfloat16> { typedef float type; };
template <> struct summed<float> { typedef float type; };
template <> struct summed<double> { typedef double type; };
/** @endcond */

/** An element as a factor: tf32 ignores the 13 lowest bits of a float. */
template <typename T> SOFTGPU_FN typename summed<T>::type as_factor(T x)
{
    return (typename summed<T>::type)x;
}
SOFTGPU_FN float as_factor(float x)
{
    return bits<float>(bits<unsigned int>(x) & ~0x1FFFu);
}

/** A whole matrix in one place, by rows. */
template <typename T, int rows, int columns>
struct alignas(64) matrix {
    T at[rows][columns];
};

/** Collect a factor from the fragments of all lanes. */
template <typename F, typename M>
SOFTGPU_FN void collect(M &to, const uint64_t *all, const void *share::*which)
{
    for (int lane = 0; lane < 32; lane++) {
        const F &f = *(const F *)(((const share *)all[lane])->*which);
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
    typedef T eight __attribute__((vector_size(8 * sizeof(T)), may_alias));
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j += 8) {
            eight sum = *(const eight *)&c.at[i][j];
            for (int l = 0; l < k; l++)
                sum += a.at[i][l] * *(const eight *)&b.at[l][j];
            *(eight *)&c.at[i][j] = sum;
        }
}

/** product + c for int: wrapped, or held at the ends of the range. */
SOFTGPU_FN int finish(int product, int c, bool saturate)
{
    long long sum = (long long)product + c;
    if (saturate && sum != (int)sum)
        return sum < 0 ? -2147483647 - 1 : 2147483647;
    return (int)sum;
}
/** The sum began at c: nothing to add. */
template <typename T> SOFTGPU_FN T finish(T sum, T, bool) { return sum; }

/** Where a sum starts: at c, an int sum at 0 (see finish). */
template <typename T> SOFTGPU_FN T start(T c) { return c; }
/** The same for int. */
SOFTGPU_FN int start(int) { return 0; }

/** d = a * b + c for the whole warp.
 *  @param all  addresses of the 32 lanes' shares */
template <typename A, typename B, typename C, typename D>
SOFTGPU_UNWATCHED void multiply(const uint64_t *all)
{
    typedef typename summed<typename A::storage_type>::type T;
    constexpr int m = A::rows, k = A::columns, n = B::columns;
    matrix<T, m, k> a;
    matrix<T, k, n> b;
    matrix<T, m, n> sum, c;
    collect<A>(a, all, &share::a);
    collect<B>(b, all, &share::b);
    for (int lane = 0; lane < 32; lane++)
        for (int i = 0; i < C::num_elements; i++) {
            const C &f = *(const C *)((const share *)all[lane])->c;
            place p = C::where(lane, i);
            c.at[p.row][p.column] = (T)f.x[i];
            sum.at[p.row][p.column] = start((T)f.x[i]);
        }
    accumulate(sum, a, b);
    for (int lane = 0; lane < 32; lane++) {
        share *s = (share *)all[lane];
        for (int i = 0; i < D::num_elements; i++) {
            place p = D::where(lane, i);
            ((D *)s->d)->x[i] = (typename D::storage_type)finish(
                sum.at[p.row][p.column], c.at[p.row][p.column], s->saturate);
        }
    }
}

/** Show this lane's share; when all have, the product is in d. */
template <typename A, typename B, typename C, typename D>
SOFTGPU_UNWATCHED void take_part(const A &a, const B &b, const C &c, D &d,
                                 bool saturate)
{
    const share mine = {&a, &b, &c, &d, saturate};
    softgpu_warp_combine((uint64_t)&mine, multiply<A, B, C, D>);
}

} // namespace wmma
} // namespace softgpu

#endif
