/* SPDX-License-Identifier: MIT */
/** @file
 *  Hints to CUDA's compiler, for compilers that lack them.
 */
#ifndef SOFTGPU_HINTS_H
#define SOFTGPU_HINTS_H

#include "inline.h"

#ifndef __clang__
/** The compiler may take the condition for true. */
#define __builtin_assume(condition) \
    ((condition) ? (void)0 : __builtin_unreachable())
#endif
/** The same. */
#define __assume(condition) __builtin_assume(condition)

/** A counter of nvprof's; nothing here. */
SOFTGPU_FN void __prof_trigger(int) {}

#endif
