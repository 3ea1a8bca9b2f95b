/* SPDX-License-Identifier: MIT */
/** @file
 *  CUDA's complex numbers for C: cuFloatComplex, cuDoubleComplex and their
 *  arithmetic; host and device, C and C++.
 *
 *  Quotient and absolute value are scaled: they overflow only if the result
 *  does.
 */
#ifndef SOFTGPU_CUCOMPLEX_H
#define SOFTGPU_CUCOMPLEX_H
#define CU_COMPLEX_H_ /* programs ask for it */

#include "softgpu/push_macros.h"
#include <math.h>

#include "vector_types.h"

typedef float2 cuFloatComplex;   /**< x real, y imaginary */
typedef double2 cuDoubleComplex; /**< x real, y imaginary */
typedef cuFloatComplex cuComplex; /**< the same */

/** @cond: cuCaddf() is the sum of two cuFloatComplex, cuCadd() of doubles */
#define SOFTGPU_COMPLEX2(name, C, real, imaginary) \
    static inline C name(C a, C b)                 \
    {                                              \
        C r = {real, imaginary};                   \
        return r;                                  \
    }
#define SOFTGPU_COMPLEX(s, Name, C, T)                                    \
    static inline T cuCreal##s(C a) { return a.x; }                       \
    static inline T cuCimag##s(C a) { return a.y; }                       \
    static inline T cuCabs##s(C a) { return hypot##s(a.x, a.y); }         \
    static inline C make_##Name(T x, T y)                                 \
    {                                                                     \
        C r = {x, y};                                                     \
        return r;                                                         \
    }                                                                     \
    static inline C cuConj##s(C a) { return make_##Name(a.x, -a.y); }     \
    SOFTGPU_COMPLEX2(cuCadd##s, C, a.x + b.x, a.y + b.y)                  \
    SOFTGPU_COMPLEX2(cuCsub##s, C, a.x - b.x, a.y - b.y)                  \
    SOFTGPU_COMPLEX2(cuCmul##s, C, a.x *b.x - a.y * b.y,                  \
                     a.x *b.y + a.y * b.x)                                \
    static inline C cuCdiv##s(C a, C b)                                   \
    {                                                                     \
        T scale = 1 / (fabs##s(b.x) + fabs##s(b.y));                      \
        T p = a.x * scale, q = a.y * scale, r = b.x * scale,              \
          t = b.y * scale, norm = 1 / (r * r + t * t);                    \
        return make_##Name((p * r + q * t) * norm,                        \
                           (q * r - p * t) * norm);                       \
    }                                                                     \
    static inline C cuCfma##s(C a, C b, C c)                              \
    {                                                                     \
        return make_##Name((a.x * b.x + c.x) - a.y * b.y,                 \
                           (a.x * b.y + c.y) + a.y * b.x);                \
    }
SOFTGPU_COMPLEX(f, cuFloatComplex, cuFloatComplex, float)
SOFTGPU_COMPLEX(/* no suffix */, cuDoubleComplex, cuDoubleComplex, double)
#undef SOFTGPU_COMPLEX
#undef SOFTGPU_COMPLEX2

static inline cuComplex make_cuComplex(float x, float y)
{
    return make_cuFloatComplex(x, y);
}
static inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a)
{
    return make_cuDoubleComplex(a.x, a.y);
}
static inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a)
{
    return make_cuFloatComplex((float)a.x, (float)a.y);
}
/** @endcond */

#include "softgpu/pop_macros.h"

#endif
