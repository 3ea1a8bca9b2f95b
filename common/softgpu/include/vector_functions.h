/* SPDX-License-Identifier: MIT */
/** @file
 *  CUDA's make_float4() and so on: a vector from its members; host and device,
 *  C and C++.
 */
#ifndef SOFTGPU_VECTOR_FUNCTIONS_H
#define SOFTGPU_VECTOR_FUNCTIONS_H
#define __VECTOR_FUNCTIONS_H__ /* programs ask for it */

#include "vector_types.h"

/** @cond: make_T1(x), make_T2(x, y), make_T3(x, y, z), make_T4(x, y, z, w) */
#ifdef __cplusplus
#define SOFTGPU_INLINE inline
#else
#define SOFTGPU_INLINE static inline
#endif

#define SOFTGPU_MAKE4(name, T)                                   \
    SOFTGPU_INLINE name make_##name(T x, T y, T z, T w)          \
    {                                                            \
        name v = {x, y, z, w};                                   \
        return v;                                                \
    }
#define SOFTGPU_MAKE(name, T)                                    \
    SOFTGPU_INLINE name##1 make_##name##1(T x)                   \
    {                                                            \
        name##1 v = {x};                                         \
        return v;                                                \
    }                                                            \
    SOFTGPU_INLINE name##2 make_##name##2(T x, T y)              \
    {                                                            \
        name##2 v = {x, y};                                      \
        return v;                                                \
    }                                                            \
    SOFTGPU_INLINE name##3 make_##name##3(T x, T y, T z)         \
    {                                                            \
        name##3 v = {x, y, z};                                   \
        return v;                                                \
    }                                                            \
    SOFTGPU_MAKE4(name##4, T)
#define SOFTGPU_MAKE_WIDE(name, T)  \
    SOFTGPU_MAKE(name, T)           \
    SOFTGPU_MAKE4(name##4_16a, T)   \
    SOFTGPU_MAKE4(name##4_32a, T)

SOFTGPU_MAKE(char, signed char)
SOFTGPU_MAKE(uchar, unsigned char)
SOFTGPU_MAKE(short, short)
SOFTGPU_MAKE(ushort, unsigned short)
SOFTGPU_MAKE(int, int)
SOFTGPU_MAKE(uint, unsigned int)
SOFTGPU_MAKE(float, float)
SOFTGPU_MAKE_WIDE(long, long)
SOFTGPU_MAKE_WIDE(ulong, unsigned long)
SOFTGPU_MAKE_WIDE(longlong, long long)
SOFTGPU_MAKE_WIDE(ulonglong, unsigned long long)
SOFTGPU_MAKE_WIDE(double, double)

#undef SOFTGPU_MAKE_WIDE
#undef SOFTGPU_MAKE
#undef SOFTGPU_MAKE4
#undef SOFTGPU_INLINE
/** @endcond */

#endif
