/* SPDX-License-Identifier: MIT */
/** @file
 *  Inline PTX: arithmetic with the carry flag, which softcc declares in each
 *  function that uses it.  Part of inline_ptx.h.
 */
#ifndef SOFTGPU_INLINE_PTX_CARRY_H
#define SOFTGPU_INLINE_PTX_CARRY_H

#include "inline_ptx.h"

namespace softgpu {
namespace ptx {

/** x + y + carry.  @param[out] carry  out of the highest bit */
template <class T> SOFTGPU_FN T sum_carry(T x, T y, unsigned in, unsigned &out)
{
    typedef typename std::make_unsigned<T>::type U;
    const U partial = (U)x + (U)y, sum = partial + in;
    out = partial < (U)x || sum < partial;
    return (T)sum;
}
/** x - y - borrow.  @param[out] borrow  of the highest bit */
template <class T>
SOFTGPU_FN T difference_borrow(T x, T y, unsigned in, unsigned &out)
{
    typedef typename std::make_unsigned<T>::type U;
    const U partial = (U)x - (U)y;
    out = (U)x < (U)y || partial < in;
    return (T)(U)(partial - in);
}
/** The lower half of a product. */
template <class T> SOFTGPU_FN T product_lo(T x, T y)
{
    typedef typename twice<T>::type W;
    return (T)((W)x * (W)y);
}
/** The upper half of a product. */
template <class T> SOFTGPU_FN T product_hi(T x, T y)
{
    typedef typename twice<T>::type W;
    return (T)((W)x * (W)y >> 8 * sizeof(T));
}

/** @cond Instructions: one function each, documented by PTX's own manual. */
#define SOFTGPU_PTX_CARRY2(name, function, in, out)                           \
    template <class T, class D, class A, class B>                             \
    SOFTGPU_FN void name([[maybe_unused]] unsigned &carry, D &d, A a, B b)    \
    {                                                                         \
        [[maybe_unused]] unsigned ignored;                                    \
        set<D, T>(d, function(get<T>(a), get<T>(b), in, out));                \
    }
SOFTGPU_PTX_CARRY2(add_cc, sum_carry<T>, 0, carry)
SOFTGPU_PTX_CARRY2(addc, sum_carry<T>, carry, ignored)
SOFTGPU_PTX_CARRY2(addc_cc, sum_carry<T>, carry, carry)
SOFTGPU_PTX_CARRY2(sub_cc, difference_borrow<T>, 0, carry)
SOFTGPU_PTX_CARRY2(subc, difference_borrow<T>, carry, ignored)
SOFTGPU_PTX_CARRY2(subc_cc, difference_borrow<T>, carry, carry)
#undef SOFTGPU_PTX_CARRY2

#define SOFTGPU_PTX_CARRY3(name, half, in, out)                               \
    template <class T, class D, class A, class B, class C>                    \
    SOFTGPU_FN void name([[maybe_unused]] unsigned &carry, D &d, A a, B b,    \
                         C c)                                                 \
    {                                                                         \
        [[maybe_unused]] unsigned ignored;                                    \
        set<D, T>(d, sum_carry<T>(half(get<T>(a), get<T>(b)), get<T>(c), in,  \
                                  out));                                      \
    }
SOFTGPU_PTX_CARRY3(mad_lo_cc, product_lo<T>, 0, carry)
SOFTGPU_PTX_CARRY3(mad_hi_cc, product_hi<T>, 0, carry)
SOFTGPU_PTX_CARRY3(madc_lo, product_lo<T>, carry, ignored)
SOFTGPU_PTX_CARRY3(madc_lo_cc, product_lo<T>, carry, carry)
SOFTGPU_PTX_CARRY3(madc_hi, product_hi<T>, carry, ignored)
SOFTGPU_PTX_CARRY3(madc_hi_cc, product_hi<T>, carry, carry)
#undef SOFTGPU_PTX_CARRY3
/** @endcond */

} // namespace ptx
} // namespace softgpu

#endif
