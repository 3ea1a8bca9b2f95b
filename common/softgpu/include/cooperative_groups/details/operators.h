/* SPDX-License-Identifier: MIT */
/** @file
 *  The operators that reduce() and the scans take.
 */
#ifndef SOFTGPU_GROUPS_OPERATORS_H
#define SOFTGPU_GROUPS_OPERATORS_H

namespace cooperative_groups {

/** Sum. */
template <class T = void> struct plus {
    T operator()(const T &a, const T &b) const { return a + b; }
};
/** The smaller of two. */
template <class T = void> struct less {
    T operator()(const T &a, const T &b) const { return b < a ? b : a; }
};
/** The greater of two. */
template <class T = void> struct greater {
    T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};
template <class T = void> struct bit_and {
    T operator()(const T &a, const T &b) const { return a & b; }
};
template <class T = void> struct bit_or {
    T operator()(const T &a, const T &b) const { return a | b; }
};
template <class T = void> struct bit_xor {
    T operator()(const T &a, const T &b) const { return a ^ b; }
};

} // namespace cooperative_groups

#endif
