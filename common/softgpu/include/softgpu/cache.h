/* SPDX-License-Identifier: MIT */
/** @file
 *  Loads and stores with a cache hint: __ldg(), __ldcg(), __stcs() ..., for all
 *  types that CUDA defines them for.  Here each is one plain access; __ldcv()
 *  and __ldlu() are volatile, so that a loop can poll, and __ldcv() yields
 *  every now and then, as atomics do.
 */
#ifndef SOFTGPU_CACHE_H
#define SOFTGPU_CACHE_H

#include "../vector_types.h"
#include "abi.h"
#include "inline.h"

/** @cond: T __ldXX(const T *from), void __stXX(T *to, T value) */
#define SOFTGPU_CACHED(T)                                                 \
    SOFTGPU_FN T __ldg(const T *from) { return *from; }                   \
    SOFTGPU_FN T __ldca(const T *from) { return *from; }                  \
    SOFTGPU_FN T __ldcg(const T *from)                                    \
    {                                                                     \
        __asm__ volatile("" : "+r"(from)); /* as nvcc: in loops, again */ \
        return *from;                                                     \
    }                                                                     \
    SOFTGPU_FN T __ldcs(const T *from) { return *from; }                  \
    SOFTGPU_FN T __ldlu(const T *from)                                    \
    {                                                                     \
        __asm__ volatile("" ::: "memory");                                \
        return *from;                                                     \
    }                                                                     \
    SOFTGPU_FN T __ldcv(const T *from)                                    \
    {                                                                     \
        softgpu_spin();                                                   \
        return __ldlu(from);                                              \
    }                                                                     \
    SOFTGPU_FN void __stwb(T *to, T value) { *to = value; }               \
    SOFTGPU_FN void __stcg(T *to, T value) { *to = value; }               \
    SOFTGPU_FN void __stcs(T *to, T value) { *to = value; }               \
    SOFTGPU_FN void __stwt(T *to, T value)                                \
    {                                                                     \
        *to = value;                                                      \
        __asm__ volatile("" ::: "memory");                                \
    }
#define SOFTGPU_CACHED_VECTORS(name) \
    SOFTGPU_CACHED(name##2) SOFTGPU_CACHED(name##4)

SOFTGPU_CACHED(char)
SOFTGPU_CACHED(signed char)
SOFTGPU_CACHED(short)
SOFTGPU_CACHED(int)
SOFTGPU_CACHED(long)
SOFTGPU_CACHED(long long)
SOFTGPU_CACHED(unsigned char)
SOFTGPU_CACHED(unsigned short)
SOFTGPU_CACHED(unsigned int)
SOFTGPU_CACHED(unsigned long)
SOFTGPU_CACHED(unsigned long long)
SOFTGPU_CACHED(float)
SOFTGPU_CACHED(double)
SOFTGPU_CACHED_VECTORS(char)
SOFTGPU_CACHED_VECTORS(uchar)
SOFTGPU_CACHED_VECTORS(short)
SOFTGPU_CACHED_VECTORS(ushort)
SOFTGPU_CACHED_VECTORS(int)
SOFTGPU_CACHED_VECTORS(uint)
SOFTGPU_CACHED_VECTORS(float)
SOFTGPU_CACHED(longlong2)
SOFTGPU_CACHED(ulonglong2)
SOFTGPU_CACHED(double2)
SOFTGPU_CACHED(double4)
/** @endcond */

#endif
