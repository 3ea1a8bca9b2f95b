/* SPDX-License-Identifier: MIT */
/** @file
 *  cuRAND device API: XORWOW, MRG32k3a, Philox4x32-10, MTGP32, and Sobol
 *  sequences.
 *
 *  The generators, their seeding and skipping ahead are the published ones, so
 *  integers and uniform numbers are those of a card.  Normal numbers use the
 *  same transform with the sine and logarithm of this machine, so their last
 *  bits can differ.  The sequence of curand_poisson() differs from a mean of 64
 *  to 4000.  Scrambled Sobol points take the caller's vectors; those of
 *  curandGetDirectionVectors32() are not a card's.
 */
#ifndef SOFTGPU_CURAND_KERNEL_H
#define SOFTGPU_CURAND_KERNEL_H
#define CURAND_KERNEL_H_ /* programs ask for it */

#include "softgpu/push_macros.h"
#include <math.h>

#include "curand.h"
#include "curand_globals.h"
#include "curand_mtgp32_kernel.h"
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

/** A float in (0, 1] from 32 bits. */
inline float _curand_uniform(unsigned x) { return softgpu::unit_float(x); }

/** Four floats in (0, 1] from 32 bits each. */
inline float4 _curand_uniform4(uint4 x)
{
    return make_float4(softgpu::unit_float(x.x), softgpu::unit_float(x.y),
                       softgpu::unit_float(x.z), softgpu::unit_float(x.w));
}

/** Two normal floats from 32 bits each. */
inline float2 _curand_box_muller(unsigned x, unsigned y)
{
    return softgpu::box_muller(x, y);
}

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
    return _curand_uniform4(curand4(state));
}

/** Two doubles in (0, 1]. */
inline double2 curand_uniform2_double(curandStatePhilox4_32_10_t *state)
{
    uint4 x = curand4(state);
    return make_double2(softgpu::unit_double(x.x, x.y),
                        softgpu::unit_double(x.z, x.w));
}

/** Four doubles in (0, 1]. */
inline double4 curand_uniform4_double(curandStatePhilox4_32_10_t *state)
{
    const double2 a = curand_uniform2_double(state);
    const double2 b = curand_uniform2_double(state);
    return make_double4(a.x, a.y, b.x, b.y);
}

/** A double in (0, 1], of 32 random bits; all threads of the block call. */
inline double curand_uniform_double(curandStateMtgp32_t *state)
{
    return softgpu::sobol_double(curand(state));
}

/** A float with mean 0 and standard deviation 1, of one number. */
inline float curand_normal(curandStateMtgp32_t *state)
{
    return softgpu::sobol_normal_float(curand(state));
}

/** A double with mean 0 and standard deviation 1, of one number. */
inline double curand_normal_double(curandStateMtgp32_t *state)
{
    return softgpu::sobol_normal(curand(state));
}

/** The Poisson-distributed number at the probability of the next number. */
inline unsigned curand_poisson(curandStateMtgp32_t *state, double mean)
{
    return softgpu_poisson(softgpu::sobol_double(curand(state)), mean);
}

#include "softgpu/curand_discrete.h"

#include "softgpu/pop_macros.h"

#endif
