/* SPDX-License-Identifier: MIT */
/** @file
 *  CUDA's built-in vector types: names, members, sizes and alignments as nvcc
 *  lays them out; for C and C++, host and device.
 *
 *  They are plain structs, so `float4 v = {1, 2, 3, 4}`, unions and casts of
 *  pointers work as in CUDA.  Only an instrumented build (SOFTGPU_INSTRUMENTED,
 *  C++) adds a copy in one memory access: see softgpu/single_access.h.
 */
#ifndef SOFTGPU_VECTOR_TYPES_H
#define SOFTGPU_VECTOR_TYPES_H
#define __VECTOR_TYPES_H__ /* programs ask for it */

#if defined(__cplusplus) && defined(SOFTGPU_INSTRUMENTED)
#include "softgpu/single_access.h"
#else
#define SOFTGPU_COPY2(name, T)
#define SOFTGPU_COPY4(name, T)
#endif

/** @cond: the members of all 72 types are documented above */
#define SOFTGPU_VECTOR(name, bytes, ...)                     \
    struct __attribute__((aligned(bytes))) name __VA_ARGS__; \
    typedef struct name name;

/** T1 to T4 with the given alignments of T2 and T4; T1 and T3 are aligned as
 *  T. */
#define SOFTGPU_VECTORS123(name, T, pair)                      \
    SOFTGPU_VECTOR(name##1, __alignof__(T), { T x; })          \
    SOFTGPU_VECTOR(name##2, pair, { T x, y; SOFTGPU_COPY2(name##2, T) }) \
    SOFTGPU_VECTOR(name##3, __alignof__(T), { T x, y, z; })
#define SOFTGPU_VECTOR_OF4(name, T, bytes) \
    SOFTGPU_VECTOR(name, bytes, { T x, y, z, w; SOFTGPU_COPY4(name, T) })
#define SOFTGPU_VECTORS(name, T, pair, quad) \
    SOFTGPU_VECTORS123(name, T, pair)        \
    SOFTGPU_VECTOR_OF4(name##4, T, quad)
/* Four of 8 bytes: aligned to 16 bytes, and variants with 16 and 32. */
#define SOFTGPU_VECTORS_WIDE(name, T)       \
    SOFTGPU_VECTORS(name, T, 16, 16)        \
    SOFTGPU_VECTOR_OF4(name##4_16a, T, 16)  \
    SOFTGPU_VECTOR_OF4(name##4_32a, T, 32)

SOFTGPU_VECTORS(char, signed char, 2, 4)
SOFTGPU_VECTORS(uchar, unsigned char, 2, 4)
SOFTGPU_VECTORS(short, short, 4, 8)
SOFTGPU_VECTORS(ushort, unsigned short, 4, 8)
SOFTGPU_VECTORS(int, int, 8, 16)
SOFTGPU_VECTORS(uint, unsigned int, 8, 16)
SOFTGPU_VECTORS(float, float, 8, 16)
SOFTGPU_VECTORS_WIDE(long, long)
SOFTGPU_VECTORS_WIDE(ulong, unsigned long)
SOFTGPU_VECTORS_WIDE(longlong, long long)
SOFTGPU_VECTORS_WIDE(ulonglong, unsigned long long)
SOFTGPU_VECTORS_WIDE(double, double)

#undef SOFTGPU_VECTORS_WIDE
#undef SOFTGPU_VECTORS
#undef SOFTGPU_VECTOR_OF4
#undef SOFTGPU_VECTORS123
#undef SOFTGPU_VECTOR
/** @endcond */

/** Dimensions of a grid or a block; the default is 1 (C++). */
struct dim3 {
    unsigned int x, y, z;
#ifdef __cplusplus
    /** A 1-, 2- or 3-dimensional extent. */
    constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1,
                   unsigned int z_ = 1)
        : x(x_), y(y_), z(z_)
    {
    }
    /** The same three numbers. */
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    /** The same three numbers. */
    constexpr operator uint3() const { return uint3{x, y, z}; }
#endif
};
typedef struct dim3 dim3;

#endif
