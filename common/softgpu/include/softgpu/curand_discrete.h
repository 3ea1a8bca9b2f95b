/* SPDX-License-Identifier: MIT */
/** @file
 *  Poisson-distributed and other discrete numbers of cuRAND's device API.
 */
#ifndef SOFTGPU_CURAND_DISCRETE_H
#define SOFTGPU_CURAND_DISCRETE_H

#include <math.h>

#include "softgpu/discrete_distribution.h"
#include "softgpu/inverse_erfc.h"

namespace softgpu {

/** The nearest whole number of a normal one. */
inline unsigned rounded_normal(double mean, double deviation, double x)
{
    const double y = deviation * x + mean + 0.5;
    return y < 0 ? 0 : static_cast<unsigned>(y);
}

/** The number at u in (0, 1], by a distribution's columns. */
inline unsigned discrete_of(double u, curandDiscreteDistribution_t d)
{
    unsigned j = static_cast<unsigned>(d->length * u);
    j = j < d->length ? j : d->length - 1;
    return d->shift + (u < d->value[j] ? j : d->other[j]);
}

/** Knuth's method (The Art of Computer Programming 2, 3.4.1): as many uniform
 *  floats as their product stays above exp(-mean). */
template <class State> unsigned poisson_by_product(State *state, float mean)
{
    float product = expf(mean);
    unsigned n = 0;
    for (product *= curand_uniform(state); product > 1.0f;
         product *= curand_uniform(state))
        n++;
    return n;
}

/** Transformed rejection (PTRS: W. Hoermann, The transformed rejection method
 *  for generating Poisson random variables, Insurance: Mathematics and
 *  Economics 12, 1993), for a mean of 10 and above: two uniform numbers a
 *  trial. */
template <class State> unsigned poisson_by_rejection(State *state, double mean)
{
    const double b = 0.931 + 2.53 * sqrt(mean), a = -0.059 + 0.02483 * b;
    const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
    const double squeeze = 0.9277 - 3.6224 / (b - 2.0);

    for (;;) {
        const double u = curand_uniform_double(state) - 0.5;
        const double v = curand_uniform_double(state);
        const double us = 0.5 - fabs(u);
        if (us <= 0)
            continue;
        const double k = floor((2 * a / us + b) * u + mean + 0.43);
        if (us >= 0.07 && v <= squeeze)
            return static_cast<unsigned>(k);
        if (k < 0 || (us < 0.013 && v > us))
            continue;
        if (log(v * inverse_alpha / (a / (us * us) + b))
            <= k * log(mean) - mean - lgamma(k + 1))
            return static_cast<unsigned>(k);
    }
}

/** Below a mean of 4000, from which on normal numbers are near enough. */
template <class State> unsigned exact_poisson(State *state, double mean)
{
    return mean < 64
               ? poisson_by_product(state, static_cast<float>(mean))
               : poisson_by_rejection(state, mean);
}

} // namespace softgpu

/** A Poisson-distributed number: Knuth's products of uniform floats below a
 *  mean of 64, transformed rejection to 4000, rounded normal numbers above.
 *  Between 64 and 4000 the sequence is not a card's. */
template <class State> unsigned curand_poisson(State *state, double mean)
{
    if (mean <= 4000)
        return softgpu::exact_poisson(state, mean);
    return softgpu::rounded_normal(mean, sqrt(mean),
                                   curand_normal_double(state));
}

/** Four Poisson-distributed numbers; from a mean of 64 to 4000 their sequence
 *  is not a card's. */
inline uint4 curand_poisson4(curandStatePhilox4_32_10_t *state, double mean)
{
    uint4 n;
    if (mean <= 4000) {
        n.x = softgpu::exact_poisson(state, mean);
        n.y = softgpu::exact_poisson(state, mean);
        n.z = softgpu::exact_poisson(state, mean);
        n.w = softgpu::exact_poisson(state, mean);
        return n;
    }
    const double deviation = sqrt(mean);
    const double4 x = curand_normal4_double(state);
    n.x = softgpu::rounded_normal(mean, deviation, x.x);
    n.y = softgpu::rounded_normal(mean, deviation, x.y);
    n.z = softgpu::rounded_normal(mean, deviation, x.z);
    n.w = softgpu::rounded_normal(mean, deviation, x.w);
    return n;
}

/** A number of a distribution of curandCreatePoissonDistribution(). */
template <class State>
inline unsigned curand_discrete(State *state,
                                curandDiscreteDistribution_t distribution)
{
    if (distribution->length)
        return softgpu::discrete_of(softgpu::sobol_double(curand(state)),
                                    distribution);
    return softgpu::rounded_normal(distribution->mean, distribution->deviation,
                                   curand_normal_double(state));
}

/** Four numbers of it. */
inline uint4 curand_discrete4(curandStatePhilox4_32_10_t *state,
                              curandDiscreteDistribution_t d)
{
    uint4 n;
    if (d->length) {
        const uint4 x = curand4(state);
        n.x = softgpu::discrete_of(softgpu::sobol_double(x.x), d);
        n.y = softgpu::discrete_of(softgpu::sobol_double(x.y), d);
        n.z = softgpu::discrete_of(softgpu::sobol_double(x.z), d);
        n.w = softgpu::discrete_of(softgpu::sobol_double(x.w), d);
        return n;
    }
    const double4 x = curand_normal4_double(state);
    n.x = softgpu::rounded_normal(d->mean, d->deviation, x.x);
    n.y = softgpu::rounded_normal(d->mean, d->deviation, x.y);
    n.z = softgpu::rounded_normal(d->mean, d->deviation, x.z);
    n.w = softgpu::rounded_normal(d->mean, d->deviation, x.w);
    return n;
}

#endif
