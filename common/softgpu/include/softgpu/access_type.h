/* SPDX-License-Identifier: MIT */
/** @file
 *  Types of 2 to 16 bytes that are accessed at once and may alias any type.
 */
#ifndef SOFTGPU_ACCESS_TYPE_H
#define SOFTGPU_ACCESS_TYPE_H

namespace softgpu {

/** The type of a size. */
template <unsigned long bytes> struct access;
/** @cond: one for each size */
template <> struct access<2> {
    typedef unsigned short type __attribute__((may_alias));
};
template <> struct access<4> {
    typedef unsigned int type __attribute__((may_alias));
};
template <> struct access<8> {
    typedef unsigned long type __attribute__((may_alias));
};
template <> struct access<16> {
    typedef long long type __attribute__((vector_size(16), may_alias));
};
/** @endcond */

} // namespace softgpu

#endif
