/* SPDX-License-Identifier: MIT */
/** @file
 *  cuRAND device API: XORWOW, MRG32k3a, Philox4x32-10, and Sobol sequences.
 *
 *  The generators, their seeding and skipping ahead are the published ones, so
 *  integers and uniform numbers are those of a card.  Normal numbers use the
 *  same transform with the sine and logarithm of this machine, so their last
 *  bits can differ.  The sequence of curand_poisson() differs.  MTGP32 and
 *  curand_discrete() are not supported.
 */
#ifndef SOFTGPU_CURAND_KERNEL_H
#define SOFTGPU_CURAND_KERNEL_H
#define CURAND_KERNEL_H_ /* programs ask for it */

#include "softgpu/push_macros.h"
#include <math.h>

#include "curand.h"
#include "softgpu/curand_mrg32k3a.h"
#include "softgpu/curand_philox.h"
#include "softgpu/curand_sobol.h"
#include "softgpu/curand_xorwow.h"
#include "softgpu/curand_normal.h"
#include "vector_functions.h"

/** The default generator. */
typedef curandStateXORWOW_t curandState_t;
/** The default generator. */
typedef curandStateXORWOW_t curandState;

namespace softgpu {

/** A uniform float in (0, 1] from 32 bits. */
inline float unit_float(unsigned x)
{
    return x * 2.3283064e-10f + 2.3283064e-10f / 2.0f;
}

} // namespace softgpu

/** A float in (0, 1]. */
template <class State> inline float curand_uniform(State *state)
{
    return softgpu::unit_float(curand(state));
}

/** A double in (0, 1], of 53 bits. */
template <class State> inline double curand_uniform_double(State *state)
{
    unsigned x = curand(state), y = curand(state);
    return softgpu::unit_double(x, y);
}

/** Four floats in (0, 1]. */
inline float4 curand_uniform4(curandStatePhilox4_32_10_t *state)
{
    uint4 x = curand4(state);
    return make_float4(softgpu::unit_float(x.x), softgpu::unit_float(x.y),
                       softgpu::unit_float(x.z), softgpu::unit_float(x.w));
}

/** Two doubles in (0, 1]. */
inline double2 curand_uniform2_double(curandStatePhilox4_32_10_t *state)
{
    uint4 x = curand4(state);
    return make_double2(softgpu::unit_double(x.x, x.y),
                        softgpu::unit_double(x.z, x.w));
}

/** A Poisson-distributed number: products of uniforms up to a mean of
 *  64, above it the rounded normal. */
template <class State> unsigned curand_poisson(State *state, double mean)
{
    if (mean > 64) {
        double x = mean + sqrt(mean) * curand_normal_double(state) + 0.5;
        return x < 0 ? 0 : static_cast<unsigned>(x);
    }
    double product = curand_uniform_double(state), limit = exp(-mean);
    unsigned n = 0;
    for (; product > limit; n++)
        product *= curand_uniform_double(state);
    return n;
}

#include "softgpu/pop_macros.h"

#endif
