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

} // namespace softgpu

/** A Poisson-distributed number: Knuth's products of uniform floats below a
 *  mean of 64, rounded normal numbers above.  Between 64 and 4000 the sequence
 *  is not a card's. */
template <class State> unsigned curand_poisson(State *state, double mean)
{
    if (mean < 64)
        return softgpu::poisson_by_product(state, static_cast<float>(mean));
    return softgpu::rounded_normal(mean, sqrt(mean),
                                   curand_normal_double(state));
}

/** Four Poisson-distributed numbers; from a mean of 64 to 4000 their sequence
 *  is not a card's. */
inline uint4 curand_poisson4(curandStatePhilox4_32_10_t *state, double mean)
{
    uint4 n;
    if (mean < 64) {
        const float m = static_cast<float>(mean);
        n.x = softgpu::poisson_by_product(state, m);
        n.y = softgpu::poisson_by_product(state, m);
        n.z = softgpu::poisson_by_product(state, m);
        n.w = softgpu::poisson_by_product(state, m);
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
