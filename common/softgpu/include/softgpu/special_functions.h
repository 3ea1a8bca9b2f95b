/* SPDX-License-Identifier: MIT */
/** @file
 *  The functions that CUDA adds to C's <math.h>, in double, in namespace
 *  softgpu; cuda_math.h gives them CUDA's names.  Accurate to a few units in
 *  the last place, if nothing else is said.
 */
#ifndef SOFTGPU_SPECIAL_FUNCTIONS_H
#define SOFTGPU_SPECIAL_FUNCTIONS_H

#include <cmath>

#include "softgpu/inverse_erfc.h"

namespace softgpu {

/** sin(pi * x); exact where the result is 0, 0.5 apart or 1. */
inline double sinpi(double x)
{
    double r = x - 2.0 * __builtin_rint(0.5 * x); /* exact, in [-1, 1] */
    double a = __builtin_fabs(r);
    if (a > 0.5)
        a = 1.0 - a;
    double s = a <= 0.25 ? ::sin(M_PI * a) : ::cos(M_PI * (0.5 - a));
    return a == 0.0 ? __builtin_copysign(0.0, x) : __builtin_copysign(s, r);
}

/** cos(pi * x); exact where the result is 0 or 1. */
inline double cospi(double x)
{
    double a = __builtin_fabs(x - 2.0 * __builtin_rint(0.5 * x));
    double b = 0.5 - a; /* cos(pi a) = sin(pi b) */
    return __builtin_fabs(b) <= 0.25 ? ::sin(M_PI * b)
           : b > 0                   ? ::cos(M_PI * a)
                                     : -::cos(M_PI * (1.0 - a));
}

/** Inverse of erfc on (0, 2); infinite at 0 and 2, NaN outside. */
inline double erfcinv(double y) { return softgpu_erfcinv(y); }

/** Inverse of erf on (-1, 1); infinite at the ends, NaN outside. */
inline double erfinv(double x)
{
    if (__builtin_fabs(x) <= 0.5)
        return softgpu_erfinv_middle(x);
    return __builtin_copysign(erfcinv(1.0 - __builtin_fabs(x)), x);
}

/** exp(x * x) * erfc(x). */
inline double erfcx(double x)
{
    if (x < 10.0) {
        double s = x * x, e = __builtin_fma(x, x, -s); /* x*x is s + e */
        double r = ::exp(s) * ::erfc(x);
        return std::isinf(r) ? r : r + r * e;
    }
    double f = x; /* continued fraction, from its 40th term */
    for (int k = 40; k > 0; k--)
        f = x + 0.5 * k / f;
    return 0.5 * M_2_SQRTPI / f;
}

/** The normal distribution: area left of x. */
inline double normcdf(double x)
{
    const double root_low = -4.833646656726457e-17; /* sqrt(1/2) - M_SQRT1_2 */
    double t = -x * M_SQRT1_2;
    double e = __builtin_fma(-x, M_SQRT1_2, -t) - x * root_low;
    double r = ::erfc(t); /* wanted at t + e */
    return std::isfinite(x) ? 0.5 * (r - M_2_SQRTPI * ::exp(-t * t) * e)
                            : 0.5 * r;
}

/** Inverse of normcdf. */
inline double normcdfinv(double p) { return -M_SQRT2 * erfcinv(2.0 * p); }

/** bessel_i() near 0: the sum of (x / 2)^(2k + order) / (k! (k + order)!). */
inline double bessel_i_series(int order, double x)
{
    const long double q = 0.25L * x * x;
    long double sum = 1;
    for (int k = 24 + (int)(1.5 * x); k > 0; k--)
        sum = 1 + q / ((long double)k * (k + order)) * sum;
    return (double)(order == 1 ? 0.5L * x * sum : sum);
}

/** bessel_i() far from 0: its asymptotic expansion. */
inline double bessel_i_asymptotic(int order, double x)
{
    long double sum = 1;
    for (int k = 30; k > 0; k--) {
        const int odd = 2 * k - 1;
        sum = 1 + (odd * odd - 4 * order) / (8.0L * k * x) * sum;
    }
    const long double half = __builtin_expl(0.5L * x); /* exp(x) may overflow */
    return (double)(half * sum / __builtin_sqrtl(2 * (long double)M_PI * x)
                    * half);
}

/** Modified Bessel function of the first kind, of order 0 or 1. */
inline double bessel_i(int order, double x)
{
    double a = __builtin_fabs(x);
    double r = a != a       ? a
               : a > 714.0  ? HUGE_VAL
               : a < 30.0   ? bessel_i_series(order, a)
                            : bessel_i_asymptotic(order, a);
    return order == 1 ? __builtin_copysign(r, x) : r;
}

/** Length of a vector of n doubles; does not overflow before its result. */
inline double norm(int n, const double *v)
{
    double r = 0.0;
    for (int i = 0; i < n; i++)
        r = ::hypot(r, v[i]);
    return r;
}

/** Length of a vector of n floats. */
inline double norm(int n, const float *v)
{
    double r = 0.0;
    for (int i = 0; i < n; i++)
        r += (double)v[i] * v[i];
    return ::sqrt(r);
}

} // namespace softgpu

#endif
