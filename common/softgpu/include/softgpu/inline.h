/* SPDX-License-Identifier: MIT */
/** @file
 *  How the functions that stand for one instruction are declared.
 */
#ifndef SOFTGPU_INLINE_H
#define SOFTGPU_INLINE_H

/** Inlined even without optimisation, and to a debugger or a finding the line
 *  of the call, not a line in here. */
#define SOFTGPU_FN inline __attribute__((always_inline, artificial))

/** Work of the device itself: a watched build does not see its accesses. */
#define SOFTGPU_UNWATCHED __attribute__((noinline, no_sanitize_thread))

/** f(suffix, mode) for each of CUDA's four rounding suffixes. */
#define SOFTGPU_EACH_ROUNDING(f)                          \
    f(rn, softgpu::NEAREST) f(rz, softgpu::TO_ZERO)       \
    f(ru, softgpu::UP) f(rd, softgpu::DOWN)

#endif
