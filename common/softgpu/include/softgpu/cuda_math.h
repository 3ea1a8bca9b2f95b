/* SPDX-License-Identifier: MIT */
/** @file
 *  CUDA's additions to C's <math.h> under CUDA's names: for each function f
 *  double f(double), float ff(float) and float f(float).
 *
 *  Newer C libraries define some of them; these are used if available.
 */
#ifndef SOFTGPU_CUDA_MATH_H
#define SOFTGPU_CUDA_MATH_H

#include <math.h>

#include "inline.h"
#include "special_functions.h"

/** @cond: documented above */
#if __GLIBC_PREREQ(2, 41)
#define SOFTGPU_C23_2_41(line)
#else
#define SOFTGPU_C23_2_41(line) line
#endif
#if __GLIBC_PREREQ(2, 42)
#define SOFTGPU_C23_2_42(line)
#else
#define SOFTGPU_C23_2_42(line) line
#endif

/* The float form of a function, computed by the double form. */
#define SOFTGPU_OVERLOAD(name, expr) \
    SOFTGPU_FN float name(float x) { return (float)(expr); }
#define SOFTGPU_ADDED(name, expr)                                         \
    SOFTGPU_FN double name(double x) { return expr; }                     \
    SOFTGPU_OVERLOAD(name##f, name((double)x))
#define SOFTGPU_NEW(name, expr)                                           \
    SOFTGPU_ADDED(name, expr)                                             \
    SOFTGPU_OVERLOAD(name, name##f(x))

SOFTGPU_C23_2_41(SOFTGPU_ADDED(sinpi, softgpu::sinpi(x)))
SOFTGPU_C23_2_41(SOFTGPU_ADDED(cospi, softgpu::cospi(x)))
SOFTGPU_OVERLOAD(sinpi, sinpif(x))
SOFTGPU_OVERLOAD(cospi, cospif(x))
SOFTGPU_NEW(erfinv, softgpu::erfinv(x))
SOFTGPU_NEW(erfcinv, softgpu::erfcinv(x))
SOFTGPU_NEW(erfcx, softgpu::erfcx(x))
SOFTGPU_NEW(normcdf, softgpu::normcdf(x))
SOFTGPU_NEW(normcdfinv, softgpu::normcdfinv(x))
SOFTGPU_NEW(cyl_bessel_i0, softgpu::bessel_i(0, x))
SOFTGPU_NEW(cyl_bessel_i1, softgpu::bessel_i(1, x))
SOFTGPU_NEW(rcbrt, 1.0 / cbrt(x))

SOFTGPU_C23_2_42(SOFTGPU_FN double rsqrt(double x)
                 { return 1.0 / __builtin_sqrt(x); })
SOFTGPU_C23_2_42(SOFTGPU_FN float rsqrtf(float x)
                 { return 1.0f / __builtin_sqrtf(x); })
SOFTGPU_OVERLOAD(rsqrt, rsqrtf(x))

/* C has both types; CUDA overloads the name of the double form as well. */
SOFTGPU_OVERLOAD(exp10, exp10f(x))
SOFTGPU_OVERLOAD(j0, j0f(x))
SOFTGPU_OVERLOAD(j1, j1f(x))
SOFTGPU_OVERLOAD(y0, y0f(x))
SOFTGPU_OVERLOAD(y1, y1f(x))
SOFTGPU_FN float jn(int n, float x) { return jnf(n, x); }
SOFTGPU_FN float yn(int n, float x) { return ynf(n, x); }
SOFTGPU_FN void sincos(float x, float *s, float *c) { sincosf(x, s, c); }

SOFTGPU_FN void sincospi(double x, double *s, double *c)
{
    *s = sinpi(x);
    *c = cospi(x);
}
SOFTGPU_FN void sincospif(float x, float *s, float *c)
{
    *s = sinpif(x);
    *c = cospif(x);
}
SOFTGPU_FN void sincospi(float x, float *s, float *c) { sincospif(x, s, c); }

/* Lengths of vectors, and their reciprocals. */
#define SOFTGPU_LENGTH(name, parameters, n, ...)                          \
    SOFTGPU_FN double name(parameters(double))                            \
    {                                                                     \
        const double v[] = {__VA_ARGS__};                                 \
        return softgpu::norm(n, v);                                       \
    }                                                                     \
    SOFTGPU_FN float name##f(parameters(float))                           \
    {                                                                     \
        const float v[] = {__VA_ARGS__};                                  \
        return (float)softgpu::norm(n, v);                                \
    }                                                                     \
    SOFTGPU_FN double r##name(parameters(double))                         \
    {                                                                     \
        return 1.0 / name(__VA_ARGS__);                                   \
    }                                                                     \
    SOFTGPU_FN float r##name##f(parameters(float))                        \
    {                                                                     \
        return (float)(1.0 / name((double)__VA_ARGS__));                  \
    }
#define SOFTGPU_XYZ(T) T x, T y, T z
#define SOFTGPU_XYZW(T) T x, T y, T z, T w
SOFTGPU_LENGTH(norm3d, SOFTGPU_XYZ, 3, x, y, z)
SOFTGPU_LENGTH(norm4d, SOFTGPU_XYZW, 4, x, y, z, w)
SOFTGPU_FN double rhypot(double x, double y) { return 1.0 / hypot(x, y); }
SOFTGPU_FN float rhypotf(float x, float y)
{
    return (float)(1.0 / hypot((double)x, (double)y));
}
SOFTGPU_FN double norm(int n, const double *v) { return softgpu::norm(n, v); }
SOFTGPU_FN double rnorm(int n, const double *v)
{
    return 1.0 / softgpu::norm(n, v);
}
SOFTGPU_FN float normf(int n, const float *v)
{
    return (float)softgpu::norm(n, v);
}
SOFTGPU_FN float rnormf(int n, const float *v)
{
    return (float)(1.0 / softgpu::norm(n, v));
}

#undef SOFTGPU_XYZW
#undef SOFTGPU_XYZ
#undef SOFTGPU_LENGTH
#undef SOFTGPU_NEW
#undef SOFTGPU_ADDED
#undef SOFTGPU_OVERLOAD
/** @endcond */

#endif
