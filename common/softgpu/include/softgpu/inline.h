/* SPDX-License-Identifier: MIT */
/** @file
 *  Attributes of functions that correspond to one instruction.
 *
 *  A function template that is called in headers, outside of templates, has the
 *  result type auto: a compiler then instantiates it where it is called, which
 *  is once, in the precompiled header, and not at the end of each program.
 */
#ifndef SOFTGPU_INLINE_H
#define SOFTGPU_INLINE_H

/** Inlined even without optimization; debuggers and findings show the line of
 *  the call. */
#define SOFTGPU_FN inline __attribute__((always_inline, artificial))

/** Work of the device itself, which is not instrumented. */
#define SOFTGPU_NO_INSTRUMENT __attribute__((noinline, no_sanitize_thread))

/** Report an operand of such work to the checks and the profiler, unless it is
 *  a local variable: on a card it is in registers.
 *  @param x       an lvalue
 *  @param writes  1: it is a result
 *  @param site    return address in the program */
#ifdef SOFTGPU_INSTRUMENTED
#define SOFTGPU_OPERAND(x, writes, site)                                      \
    softgpu_instrumented_operand(__builtin_addressof(x), sizeof(x), writes,   \
                                 site)
#else
#define SOFTGPU_OPERAND(x, writes, site) ((void)(x), (void)(writes))
#endif

/** f(suffix, mode) for each of CUDA's four rounding suffixes. */
#define SOFTGPU_EACH_ROUNDING(f)                          \
    f(rn, softgpu::NEAREST) f(rz, softgpu::TO_ZERO)       \
    f(ru, softgpu::UP) f(rd, softgpu::DOWN)

#endif
