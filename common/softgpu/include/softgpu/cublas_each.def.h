/* SPDX-License-Identifier: MIT */
/** @file
 *  Includes cublas_routines.def.h for each element type and type of sizes, with
 *  the ROUTINE() of the including file.  That can write its parameters with
 *  SOFTGPU_EACH(PREFIX_, parameters...), which is PREFIX_first PREFIX_second
 *  ..., and its name with SOFTGPU_CUBLAS_NAME().
 */
/* no include guard: the header and the library include it */

#define SOFTGPU_EACH1(F, a) F##a
#define SOFTGPU_EACH2(F, a, ...) F##a SOFTGPU_EACH1(F, __VA_ARGS__)
#define SOFTGPU_EACH3(F, a, ...) F##a SOFTGPU_EACH2(F, __VA_ARGS__)
#define SOFTGPU_EACH4(F, a, ...) F##a SOFTGPU_EACH3(F, __VA_ARGS__)
#define SOFTGPU_EACH5(F, a, ...) F##a SOFTGPU_EACH4(F, __VA_ARGS__)
#define SOFTGPU_EACH6(F, a, ...) F##a SOFTGPU_EACH5(F, __VA_ARGS__)
#define SOFTGPU_EACH7(F, a, ...) F##a SOFTGPU_EACH6(F, __VA_ARGS__)
#define SOFTGPU_EACH8(F, a, ...) F##a SOFTGPU_EACH7(F, __VA_ARGS__)
#define SOFTGPU_EACH9(F, a, ...) F##a SOFTGPU_EACH8(F, __VA_ARGS__)
#define SOFTGPU_EACH10(F, a, ...) F##a SOFTGPU_EACH9(F, __VA_ARGS__)
#define SOFTGPU_COUNT(a, b, c, d, e, f, g, h, i, j, COUNT, ...) COUNT
#define SOFTGPU_JOIN(a, b) SOFTGPU_JOIN_TOKENS(a, b)
#define SOFTGPU_JOIN_TOKENS(a, b) a##b
#define SOFTGPU_EACH(F, ...)                                                  \
    SOFTGPU_JOIN(SOFTGPU_EACH, SOFTGPU_COUNT(__VA_ARGS__, 10, 9, 8, 7, 6, 5,  \
                                             4, 3, 2, 1, 0))(F, __VA_ARGS__)

#define SOFTGPU_CUBLAS_NAME(prefix, name, version) \
    SOFTGPU_CUBLAS_JOIN(prefix, name, version, SOFTGPU_E)
#define SOFTGPU_CUBLAS_JOIN(prefix, name, version, suffix) \
    SOFTGPU_CUBLAS_JOIN_TOKENS(prefix, name, version, suffix)
#define SOFTGPU_CUBLAS_JOIN_TOKENS(prefix, name, version, suffix) \
    cublas##prefix##name##version##suffix

#define SOFTGPU_I int
#define SOFTGPU_E
#define SOFTGPU_IS_64 0
#include "cublas_types.def.h"
#undef SOFTGPU_I
#undef SOFTGPU_E
#undef SOFTGPU_IS_64

#ifndef SOFTGPU_CUBLAS_INT_ONLY
#define SOFTGPU_I int64_t
#define SOFTGPU_E _64
#define SOFTGPU_IS_64 1
#include "cublas_types.def.h"
#undef SOFTGPU_I
#undef SOFTGPU_E
#undef SOFTGPU_IS_64
#endif

#undef SOFTGPU_EACH1
#undef SOFTGPU_EACH2
#undef SOFTGPU_EACH3
#undef SOFTGPU_EACH4
#undef SOFTGPU_EACH5
#undef SOFTGPU_EACH6
#undef SOFTGPU_EACH7
#undef SOFTGPU_EACH8
#undef SOFTGPU_EACH9
#undef SOFTGPU_EACH10
#undef SOFTGPU_COUNT
#undef SOFTGPU_JOIN
#undef SOFTGPU_JOIN_TOKENS
#undef SOFTGPU_EACH
#undef SOFTGPU_CUBLAS_NAME
#undef SOFTGPU_CUBLAS_JOIN
#undef SOFTGPU_CUBLAS_JOIN_TOKENS
