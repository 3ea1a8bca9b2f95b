/* SPDX-License-Identifier: MIT */
/** @file
 *  Types that move 2 to 16 bytes in one access and may alias anything.
 */
#ifndef SOFTGPU_ACCESS_H
#define SOFTGPU_ACCESS_H

namespace softgpu {

/** What moves that many bytes in one access. */
template <unsigned long bytes> struct access;
/** @cond: one line a size */
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
