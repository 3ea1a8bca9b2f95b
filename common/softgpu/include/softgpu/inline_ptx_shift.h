/* SPDX-License-Identifier: MIT */
/** @file
 *  Inline PTX: shifts of two words.  Part of inline_ptx.h.
 */
#ifndef SOFTGPU_INLINE_PTX_SHIFT_H
#define SOFTGPU_INLINE_PTX_SHIFT_H

#include "inline_ptx.h"
#include "integer.h"

namespace softgpu {
namespace ptx {

/** @cond Instructions: one function each, documented by PTX's own manual. */
/** shf: a shift of two words, of which d is the upper or the lower one. */
#define SOFTGPU_PTX_SHF(name, function)                                     \
    template <class T, class D, class A, class B, class C>                  \
    SOFTGPU_FN void name(D &d, A low, B high, C n)                          \
    {                                                                       \
        set<D, T>(d, function(get<uint32_t>(low), get<uint32_t>(high),      \
                              get<uint32_t>(n)));                           \
    }
SOFTGPU_PTX_SHF(shf_l_wrap, __funnelshift_l)
SOFTGPU_PTX_SHF(shf_l_clamp, __funnelshift_lc)
SOFTGPU_PTX_SHF(shf_r_wrap, __funnelshift_r)
SOFTGPU_PTX_SHF(shf_r_clamp, __funnelshift_rc)
#undef SOFTGPU_PTX_SHF
/** @endcond */

} // namespace ptx
} // namespace softgpu

#endif
