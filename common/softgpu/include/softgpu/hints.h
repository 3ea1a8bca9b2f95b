/* SPDX-License-Identifier: MIT */
/** @file
 *  Hints to the compiler that gcc and clang do not have.
 */
#ifndef SOFTGPU_HINTS_H
#define SOFTGPU_HINTS_H

#include "inline.h"

#ifndef __clang__
/** The compiler may assume that the condition is true. */
#define __builtin_assume(condition) \
    ((condition) ? (void)0 : __builtin_unreachable())
#endif
/** The same. */
#define __assume(condition) __builtin_assume(condition)

/** A counter of nvprof; does nothing. */
SOFTGPU_FN void __prof_trigger(int) {}

#endif
