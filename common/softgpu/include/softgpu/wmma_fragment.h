/* SPDX-License-Identifier: MIT */
/** @file
 *  The fragments of nvcuda::wmma: which lane holds which element.
 *
 *  matrix_a, matrix_b: lane l holds elements l * num_elements and following, in
 *  memory order.  Accumulators, as with compute capability 8.0: lane l holds
 *  rows l / 4 and l / 4 + 8 of each 16 x 8 tile, columns 2 * (l % 4) and the
 *  next:
 *
 *      x[0] x[1]: row l/4     x[2] x[3]: row l/4 + 8     x[4]...: the next tile
 *
 *  So x[i] of two accumulators of one type is the same element, and elementwise
 *  functions can be computed on x[].
 */
#ifndef SOFTGPU_WMMA_FRAGMENT_H
#define SOFTGPU_WMMA_FRAGMENT_H

#include <type_traits>

#include "abi.h"
#include "access_type.h"
#include "inline.h"

namespace softgpu {
namespace wmma {

/** Lane of the calling thread. */
SOFTGPU_FN int lane()
{
    unsigned row = threadIdx.y + blockDim.y * threadIdx.z;
    return (int)((threadIdx.x + blockDim.x * row) % 32);
}

/** Wait for all lanes, without an order of memory. */
SOFTGPU_FN void meet_lanes()
{
    softgpu_warp_vote(~0u, 0);
}

/** Row and column of an element. */
struct place {
    int row, column;
    /** Offset in memory; layout 0 is row-major. */
    SOFTGPU_FN unsigned offset(unsigned stride, int layout) const
    {
        return layout == 0 ? (unsigned)row * stride + (unsigned)column
                           : (unsigned)column * stride + (unsigned)row;
    }
};

/** Types of an element in a fragment and in memory. */
template <typename T> struct element {
    typedef T storage;  /**< in x[] */
    typedef T external; /**< in memory */
};

} // namespace wmma
} // namespace softgpu

namespace nvcuda {
namespace wmma {

struct row_major {};
struct col_major {};
/** The left factor, m x k. */
struct matrix_a { static constexpr bool accumulates = false; };
/** The right factor, k x n. */
struct matrix_b { static constexpr bool accumulates = false; };
/** A sum of products, m x n. */
struct accumulator { static constexpr bool accumulates = true; };
/** Layout of an accumulator in memory. */
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
/** A float of which the product uses 10 mantissa bits. */
struct tf32 {};
} // namespace precision

} // namespace wmma
} // namespace nvcuda

namespace softgpu {
namespace wmma {

/** tf32 is stored as float. */
template <> struct element<nvcuda::wmma::precision::tf32> {
    typedef float storage;
    typedef float external;
};

/** Is m x n x k a shape of the product for factors of type T? */
template <typename T> constexpr bool has_shape(int m, int n, int k)
{
    return k == 16
           && ((m == 16 && n == 16) || (m == 32 && n == 8)
               || (m == 8 && n == 32));
}
template <>
constexpr bool has_shape<nvcuda::wmma::precision::tf32>(int m, int n, int k)
{
    return m == 16 && n == 16 && k == 8;
}
template <> constexpr bool has_shape<double>(int m, int n, int k)
{
    return m == 8 && n == 8 && k == 4;
}
template <> constexpr bool has_shape<float>(int m, int n, int k)
{
    return has_shape<int>(m, n, k) || (m == 16 && n == 16 && k == 8);
}

/** A lane's elements of a rows x columns matrix. */
template <int rows_, int columns_, typename T> struct elements {
    static constexpr int rows = rows_, columns = columns_;
    typedef typename element<T>::external element_type;
    typedef typename element<T>::storage storage_type;
    typedef storage_type storage_element_type;
    static constexpr int num_elements = rows * columns / 32;
    static constexpr int num_storage_elements = num_elements;
    storage_type x[num_elements];
};

/** A factor: lane l holds elements l * num_elements and following, in memory
 *  order. */
template <int rows, int columns, typename T, typename Layout>
struct factor : elements<rows, columns, T> {
    typedef elements<rows, columns, T> base;
    static constexpr bool by_rows =
        std::is_same<Layout, nvcuda::wmma::row_major>::value;
    static constexpr int inner = by_rows ? columns : rows;

    /** Row and column of element i of a lane. */
    SOFTGPU_FN static place where(int lane, int i)
    {
        int at = lane * base::num_elements + i;
        return by_rows ? place{ at / inner, at % inner }
                       : place{ at % inner, at / inner };
    }

    /** Load a lane's elements, in accesses of up to 16 bytes. */
    template <typename P>
    SOFTGPU_FN void load(const P *from, unsigned stride, int lane)
    {
        constexpr int bytes = sizeof this->x < 16 ? sizeof this->x : 16;
        typedef typename access<bytes>::type word;
        int at = lane * base::num_elements;
        const P *first = from + (unsigned)(at / inner) * (size_t)stride
                         + at % inner;
        for (unsigned i = 0; i < sizeof this->x / bytes; i++)
            ((word *)this->x)[i] = ((const word *)first)[i];
    }
};

/** An accumulator of floats starts with this NaN, which sums keep: on a card
 *  its content is undefined until it is filled or loaded.
 *  SOFTGPU_FRAGMENT_POISON in core.h is one half of it. */
enum { UNFILLED_FRAGMENT = 0x7ff67ff6 };

/** An accumulator; see the top of this file. */
template <int rows, int columns, typename T>
struct sum : elements<rows, columns, T> {
    SOFTGPU_FN sum()
    {
        if (std::is_same<T, float>::value)
            for (int i = 0; i < sum::num_elements; i++)
                this->x[i] = (T)bits<float>((unsigned)UNFILLED_FRAGMENT);
    }

    /** Row and column of element i of a lane. */
    SOFTGPU_FN static place where(int lane, int i)
    {
        int near = lane / 4 + 8 * (i >> 1 & 1),
            along = 2 * (lane % 4) + (i & 1);
        if (rows == 8 && columns == 32) /* 32 x 8, transposed */
            return place{ along, near + 16 * (i >> 2) };
        return rows == 32 ? place{ near + 16 * (i >> 2), along }
                          : place{ near, along + 8 * (i >> 2) };
    }
};

} // namespace wmma
} // namespace softgpu

namespace nvcuda {
namespace wmma {

/** A matrix of a warp; the caller has the elements x[0] to
 *  x[num_elements - 1]. */
template <typename Use, int m, int n, int k, typename T, typename Layout = void>
class fragment;

/** @cond: the three uses, each with its rows and columns */
template <int m, int n, int k, typename T, typename Layout>
class fragment<matrix_a, m, n, k, T, Layout>
    : public softgpu::wmma::factor<m, k, T, Layout> {
    static_assert(softgpu::wmma::has_shape<T>(m, n, k), "no such wmma shape");
};
template <int m, int n, int k, typename T, typename Layout>
class fragment<matrix_b, m, n, k, T, Layout>
    : public softgpu::wmma::factor<k, n, T, Layout> {
    static_assert(softgpu::wmma::has_shape<T>(m, n, k), "no such wmma shape");
};
template <int m, int n, int k, typename T>
class fragment<accumulator, m, n, k, T, void>
    : public softgpu::wmma::sum<m, n, T> {
    static_assert(softgpu::wmma::has_shape<T>(m, n, k), "no such wmma shape");
};
/** @endcond */

} // namespace wmma
} // namespace nvcuda

#endif
