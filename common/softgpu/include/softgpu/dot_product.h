/* SPDX-License-Identifier: MIT */
/** @file
 *  Dot products of packed integers: __dp4a() of four bytes with four,
 *  __dp2a_lo() and __dp2a_hi() of two halfwords with two of four bytes.  The
 *  32-bit sum wraps.
 */
#ifndef SOFTGPU_DOT_PRODUCT_H
#define SOFTGPU_DOT_PRODUCT_H

#include "../vector_types.h"
#include "convert.h"

namespace softgpu {

/** sum + a[0] * b[0] + ... of `terms` elements, modulo 2 to the 32. */
template <int terms, typename A, typename B>
SOFTGPU_FN auto dot(const A *a, const B *b, unsigned int sum)
{
    for (int i = 0; i < terms; i++)
        sum += (unsigned int)((int)a[i] * (int)b[i]);
    return sum;
}

/** @cond: the elements of a packed word or of a vector, as an array */
template <typename T, int n> struct elements { T at[n]; };
template <typename T, typename V> SOFTGPU_FN auto unpack(V v)
{
    return bits<elements<T, sizeof(V) / sizeof(T)>>(v);
}
/** @endcond */

} // namespace softgpu

/** @cond: R __dp4a(V, V, R), R __dp2a_lo(W, V, R), R __dp2a_hi(W, V, R) */
#define SOFTGPU_DOT(W, V, half, byte, R)                                  \
    SOFTGPU_FN R __dp4a(V a, V b, R c)                                    \
    {                                                                     \
        return (R)softgpu::dot<4>(softgpu::unpack<byte>(a).at,            \
                                  softgpu::unpack<byte>(b).at,            \
                                  (unsigned int)c);                       \
    }                                                                     \
    SOFTGPU_FN R __dp2a_lo(W a, V b, R c)                                 \
    {                                                                     \
        return (R)softgpu::dot<2>(softgpu::unpack<half>(a).at,            \
                                  softgpu::unpack<byte>(b).at,            \
                                  (unsigned int)c);                       \
    }                                                                     \
    SOFTGPU_FN R __dp2a_hi(W a, V b, R c)                                 \
    {                                                                     \
        return (R)softgpu::dot<2>(softgpu::unpack<half>(a).at,            \
                                  softgpu::unpack<byte>(b).at + 2,        \
                                  (unsigned int)c);                       \
    }
SOFTGPU_DOT(int, int, short, signed char, int)
SOFTGPU_DOT(unsigned int, unsigned int, unsigned short, unsigned char,
            unsigned int)
SOFTGPU_DOT(short2, char4, short, signed char, int)
SOFTGPU_DOT(ushort2, uchar4, unsigned short, unsigned char, unsigned int)
#undef SOFTGPU_DOT
/** @endcond */

#endif
