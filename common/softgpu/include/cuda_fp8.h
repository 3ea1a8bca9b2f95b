/* SPDX-License-Identifier: MIT */
/** @file
 *  CUDA's 8-bit floats: __nv_fp8_e4m3 and __nv_fp8_e5m2, vectors of two and
 *  four, and conversions to nearest; host and device.
 *
 *  e4m3 has no infinity: only 0x7F and 0xFF are NaN, 0x7E is 448.  SATFINITE
 *  saturates to the largest number; NOSAT overflows to infinity (e4m3: NaN).
 */
#ifndef SOFTGPU_CUDA_FP8_H
#define SOFTGPU_CUDA_FP8_H

#include "softgpu/push_macros.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"

#ifdef __cplusplus
#include <limits>
#include <type_traits>
#endif

typedef unsigned char __nv_fp8_storage_t;     /**< the bits of one */
typedef unsigned short __nv_fp8x2_storage_t;  /**< of two, first one low */
typedef unsigned int __nv_fp8x4_storage_t;    /**< of four, first one low */
/** Handling of overflow. */
typedef enum { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
/** One of the two formats. */
typedef enum { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

#ifdef __cplusplus
/** To the nearest 8-bit float. */
inline __nv_fp8_storage_t
__nv_cvt_double_to_fp8(double x, __nv_saturation_t saturate,
                       __nv_fp8_interpretation_t kind)
{
    unsigned int sign = __builtin_signbit(x) ? 0x80 : 0;
    bool e5m2 = kind == __NV_E5M2;
    double a = __builtin_fabs(x);
    unsigned int largest = e5m2 ? 0x7B : 0x7E, beyond = e5m2 ? 0x7C : 0x7F;
    if (a != a)
        return (__nv_fp8_storage_t)(e5m2 ? 0x7F : sign | 0x7F);
    /* e4m3 has one exponent more than IEEE: rounded with 5 exponent bits, then
     * rebiased. */
    unsigned int code =
        e5m2 ? softgpu::minifloat<5, 2>::encode(a, softgpu::NEAREST)
             : softgpu::minifloat<5, 3>::encode(
                   a >= 1024 ? 1024.0 : a * 0x1p-8, softgpu::NEAREST);
    if (code > largest)
        code = saturate == __NV_SATFINITE ? largest : beyond;
    return (__nv_fp8_storage_t)(sign | code);
}
/** To the nearest 8-bit float. */
inline __nv_fp8_storage_t
__nv_cvt_float_to_fp8(float x, __nv_saturation_t saturate,
                      __nv_fp8_interpretation_t kind)
{
    return __nv_cvt_double_to_fp8(x, saturate, kind);
}
/** To the nearest 8-bit float. */
inline __nv_fp8_storage_t
__nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t saturate,
                        __nv_fp8_interpretation_t kind)
{
    return __nv_cvt_double_to_fp8((float)__half(x), saturate, kind);
}
/** To the nearest 8-bit float. */
inline __nv_fp8_storage_t
__nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x, __nv_saturation_t saturate,
                            __nv_fp8_interpretation_t kind)
{
    return __nv_cvt_double_to_fp8((float)__nv_bfloat16(x), saturate, kind);
}
/** Two to 8-bit floats, x in the lower byte. */
inline __nv_fp8x2_storage_t
__nv_cvt_float2_to_fp8x2(float2 x, __nv_saturation_t saturate,
                         __nv_fp8_interpretation_t kind)
{
    unsigned int low = __nv_cvt_float_to_fp8(x.x, saturate, kind);
    unsigned int high = __nv_cvt_float_to_fp8(x.y, saturate, kind);
    return (__nv_fp8x2_storage_t)(low | high << 8);
}
/** The half of the same value; exact. */
inline __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t code,
                                          __nv_fp8_interpretation_t kind)
{
    if (kind == __NV_E5M2) /* the upper half of a half */
        return __half_raw{(unsigned short)(code << 8)};
    if ((code & 0x7F) == 0x7F)
        return __half_raw{0x7FFF};
    double a = softgpu::minifloat<5, 3>::decode(code & 0x7F) * 0x1p8;
    return __half(code & 0x80 ? -a : a);
}
/** Two halves of the same values. */
inline __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t codes,
                                              __nv_fp8_interpretation_t kind)
{
    return __half2_raw{
        __nv_cvt_fp8_to_halfraw((unsigned char)codes, kind).x,
        __nv_cvt_fp8_to_halfraw((unsigned char)(codes >> 8), kind).x};
}

namespace softgpu {
/** For constructors from integers. */
template <class I>
using if_integer = std::enable_if_t<std::is_integral_v<I>
                                    && !std::is_same_v<I, bool>, int>;
/** For constructors from two vectors of two. */
template <class V>
using if_pair = std::enable_if_t<std::is_same_v<V, __half2>
                                 || std::is_same_v<V, __nv_bfloat162>
                                 || std::is_same_v<V, float2>
                                 || std::is_same_v<V, double2>, int>;
/** Towards 0, to the nearest that I has; NaN to 0. */
template <class I> SOFTGPU_FN I saturated(double v)
{
    using limits = std::numeric_limits<I>;
    if (v != v)
        return 0;
    /* the largest number of 64 bits is rounded up to a power of two */
    return v >= (double)limits::max()      ? limits::max()
           : v <= (double)limits::lowest() ? limits::lowest()
                                           : static_cast<I>(v);
}
} // namespace softgpu

/** @cond: classes of the bits; constructors saturate */
#define SOFTGPU_FP8(name, kind)                                           \
    struct __nv_fp8_##name {                                              \
        __nv_fp8_storage_t __x;                                           \
        __nv_fp8_##name() = default;                                      \
        explicit __nv_fp8_##name(double v)                                \
            : __x(__nv_cvt_double_to_fp8(v, __NV_SATFINITE, kind)) {}     \
        explicit __nv_fp8_##name(float v) : __nv_fp8_##name((double)v) {} \
        explicit __nv_fp8_##name(__half v)                                \
            : __nv_fp8_##name((double)(float)v) {}                        \
        explicit __nv_fp8_##name(__nv_bfloat16 v)                         \
            : __nv_fp8_##name((double)(float)v) {}                        \
        template <class I, softgpu::if_integer<I> = 0>                    \
        explicit __nv_fp8_##name(I v) : __nv_fp8_##name((double)v) {}     \
        template <class I, softgpu::if_integer<I> = 0>                    \
        explicit operator I() const                                       \
        {                                                                 \
            return softgpu::saturated<I>((double)*this);                  \
        }                                                                 \
        explicit operator bool() const { return (__x & 0x7F) != 0; }      \
        explicit operator __half() const                                  \
        {                                                                 \
            return __nv_cvt_fp8_to_halfraw(__x, kind);                    \
        }                                                                 \
        explicit operator float() const { return (float)(__half)*this; }  \
        explicit operator double() const { return (float)*this; }         \
        explicit operator __nv_bfloat16() const { return (float)*this; }  \
    };                                                                    \
    struct __nv_fp8x2_##name {                                            \
        __nv_fp8x2_storage_t __x;                                         \
        __nv_fp8x2_##name() = default;                                    \
        explicit __nv_fp8x2_##name(float2 v)                              \
            : __x(__nv_cvt_float2_to_fp8x2(v, __NV_SATFINITE, kind)) {}   \
        explicit __nv_fp8x2_##name(double2 v)                             \
        {                                                                 \
            unsigned int low = __nv_fp8_##name(v.x).__x;                  \
            __x = (__nv_fp8x2_storage_t)(low | __nv_fp8_##name(v.y).__x << 8);\
        }                                                                 \
        explicit __nv_fp8x2_##name(__half2 v)                             \
            : __nv_fp8x2_##name(__half22float2(v)) {}                     \
        explicit __nv_fp8x2_##name(__nv_bfloat162 v)                      \
            : __nv_fp8x2_##name(__bfloat1622float2(v)) {}                 \
        explicit operator __half2() const                                 \
        {                                                                 \
            return __nv_cvt_fp8x2_to_halfraw2(__x, kind);                 \
        }                                                                 \
        explicit operator float2() const                                  \
        {                                                                 \
            return __half22float2((__half2)*this);                        \
        }                                                                 \
    };                                                                    \
    struct __nv_fp8x4_##name {                                            \
        __nv_fp8x4_storage_t __x;                                         \
        __nv_fp8x4_##name() = default;                                    \
        template <class V, softgpu::if_pair<V> = 0>                       \
        explicit __nv_fp8x4_##name(V low, V high)                         \
        {                                                                 \
            unsigned int bits = __nv_fp8x2_##name(high).__x;              \
            __x = bits << 16 | __nv_fp8x2_##name(low).__x;                \
        }                                                                 \
        explicit __nv_fp8x4_##name(float4 v)                              \
            : __nv_fp8x4_##name(float2{v.x, v.y}, float2{v.z, v.w}) {}    \
        explicit __nv_fp8x4_##name(double4 v)                             \
            : __nv_fp8x4_##name(double2{v.x, v.y}, double2{v.z, v.w}) {}  \
        explicit operator float4() const                                  \
        {                                                                 \
            __nv_fp8x2_##name low, high;                                  \
            low.__x = (__nv_fp8x2_storage_t)__x;                          \
            high.__x = (__nv_fp8x2_storage_t)(__x >> 16);                 \
            float2 a = (float2)low, b = (float2)high;                     \
            return float4{a.x, a.y, b.x, b.y};                            \
        }                                                                 \
    };
SOFTGPU_FP8(e4m3, __NV_E4M3)
SOFTGPU_FP8(e5m2, __NV_E5M2)
#undef SOFTGPU_FP8
/** @endcond */
#endif

#include "softgpu/pop_macros.h"

#endif
