/* SPDX-License-Identifier: MIT */
/** @file
 *  The inverses of erfc() and of the Poisson distribution, in C and C++: for
 *  CUDA's erfcinv() and normcdfinv(), and for cuRAND's quasirandom numbers.
 */
#ifndef SOFTGPU_INVERSE_ERFC_H
#define SOFTGPU_INVERSE_ERFC_H

#include <math.h>

/** Where erf() is x, |x| <= 0.5: Newton's method on erf. */
static inline double softgpu_erfinv_middle(double x)
{
    double t = x * (0.886226925452758 + 0.232013666534655 * x * x);
    for (int i = 0; i < 4; i++)
        t -= (__builtin_erf(t) - x) / (M_2_SQRTPI * __builtin_exp(-t * t));
    return t;
}

/** Where erfc() is y, 0 < y < 0.5: Newton's method on log(erfc). */
static inline double softgpu_erfcinv_tail(double y)
{
    const double w = -__builtin_log(y);
    double t = __builtin_sqrt(w - 0.5 * __builtin_log(M_PI * (w + 0.2)));
    for (int i = 0; i < 6; i++) {
        const double e = __builtin_erfc(t);
        t += __builtin_log(e / y) * e
             / (M_2_SQRTPI * __builtin_exp(-t * t));
    }
    return t;
}

/** Inverse of erfc on (0, 2); infinite at 0 and 2, NaN outside. */
static inline double softgpu_erfcinv(double y)
{
    if (y >= 0.5 && y <= 1.5)
        return softgpu_erfinv_middle(1.0 - y);
    if (y > 0.0 && y < 2.0)
        return y < 1.0 ? softgpu_erfcinv_tail(y)
                       : -softgpu_erfcinv_tail(2.0 - y);
    return y == 0.0 ? HUGE_VAL : y == 2.0 ? -HUGE_VAL : NAN;
}

/** The Poisson-distributed number at probability p: up to a mean of 1000 by the
 *  sum of its terms, above it the rounded normal number. */
static inline unsigned softgpu_poisson(double p, double mean)
{
    unsigned n = 0;

    if (mean >= 1000) {
        const double x = mean - __builtin_sqrt(mean) * M_SQRT2
                                    * softgpu_erfcinv(2.0 * p) + 0.5;
        return x < 0 ? 0 : (unsigned)x;
    }
    /* both sides times exp(mean / 2): exp(-mean) may be 0 */
    const double end = p * __builtin_exp(mean / 2);
    double term = __builtin_exp(-mean / 2), sum = term;
    while (sum < end && (n < mean || term > sum * 0x1p-60)) {
        term *= mean / ++n;
        sum += term;
    }
    return n;
}

#endif
