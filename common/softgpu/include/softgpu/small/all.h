/* SPDX-License-Identifier: MIT */
/** @file
 *  All of one 16-bit float type; included once for each type, with the macros
 *  that small/type.h names, and undefines them.
 */
/** @cond: helpers of the files below */
#define SOFTGPU_JOIN_(a, b, c) a##b##c
#define SOFTGPU_JOIN(a, b, c) SOFTGPU_JOIN_(a, b, c)
#define SOFTGPU_NAME(a, b) SOFTGPU_JOIN(a, SOFTGPU_SHORT, b)
#define SOFTGPU_NAME2(a, b, c) \
    SOFTGPU_JOIN(SOFTGPU_NAME(a, b), SOFTGPU_SHORT, c)
/** @endcond */

#include "type.h"

#include "convert.h"

#include "arithmetic.h"

#include "compare.h"

#include "functions.h"

#undef SOFTGPU_NAME2
#undef SOFTGPU_NAME
#undef SOFTGPU_JOIN
#undef SOFTGPU_JOIN_
#undef SOFTGPU_SHORT
#undef SOFTGPU_OTHER
#undef SOFTGPU_FORMAT
#undef SOFTGPU_RAW2
#undef SOFTGPU_RAW
#undef SOFTGPU_T2
#undef SOFTGPU_T
