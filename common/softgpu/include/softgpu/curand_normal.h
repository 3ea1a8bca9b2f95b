/* SPDX-License-Identifier: MIT */
/** @file
 *  Normally distributed numbers by the Box-Muller transform, two at a time: the
 *  second is kept in the state for the next call.
 */
#ifndef SOFTGPU_CURAND_NORMAL_H
#define SOFTGPU_CURAND_NORMAL_H

#include <math.h>

#include "vector_functions.h"

namespace softgpu {

/** A uniform double in (0, 1] from 64 bits. */
inline double unit_double(unsigned x, unsigned y)
{
    const double scale = 1.0 / (1ull << 53);
    unsigned long long z = x ^ static_cast<unsigned long long>(y) << 21;
    return static_cast<double>(z) * scale + scale / 2.0;
}

/** Two normal floats from 64 bits. */
inline float2 box_muller(unsigned x, unsigned y)
{
    const float scale = 2.3283064e-10f, turn = 2.3283064e-10f * 6.2831855f;
    float u = x * scale + scale / 2, angle = y * turn + turn / 2;
    float radius = sqrtf(-2.0f * logf(u));
    return make_float2(radius * sinf(angle), radius * cosf(angle));
}

/** Two normal doubles from 128 bits. */
inline double2 box_muller_double(const uint4 &x)
{
    double radius = sqrt(-2.0 * log(unit_double(x.x, x.y)));
    double angle = 2.0 * 3.14159265358979323846 * unit_double(x.z, x.w);
    return make_double2(radius * sin(angle), radius * cos(angle));
}

/** The next four numbers of the sequence. */
template <class State> uint4 next_four(State *state)
{
    uint4 x;
    x.x = curand(state);
    x.y = curand(state);
    x.z = curand(state);
    x.w = curand(state);
    return x;
}

} // namespace softgpu

/** Two floats with mean 0 and standard deviation 1. */
template <class State> inline float2 curand_normal2(State *state)
{
    unsigned x = curand(state), y = curand(state);
    return softgpu::box_muller(x, y);
}

/** Two doubles with mean 0 and standard deviation 1. */
template <class State> inline double2 curand_normal2_double(State *state)
{
    return softgpu::box_muller_double(softgpu::next_four(state));
}

/** A float with mean 0 and standard deviation 1. */
template <class State> inline float curand_normal(State *state)
{
    state->boxmuller_flag ^= 1;
    if (!state->boxmuller_flag)
        return state->boxmuller_extra;
    float2 two = curand_normal2(state);
    state->boxmuller_extra = two.y;
    return two.x;
}

/** A double with mean 0 and standard deviation 1. */
template <class State> inline double curand_normal_double(State *state)
{
    state->boxmuller_flag_double ^= 1;
    if (!state->boxmuller_flag_double)
        return state->boxmuller_extra_double;
    double2 two = curand_normal2_double(state);
    state->boxmuller_extra_double = two.y;
    return two.x;
}

/** Four floats with mean 0 and standard deviation 1. */
inline float4 curand_normal4(curandStatePhilox4_32_10_t *state)
{
    float2 a = curand_normal2(state), b = curand_normal2(state);
    return make_float4(a.x, a.y, b.x, b.y);
}

/** Four doubles with mean 0 and standard deviation 1. */
inline double4 curand_normal4_double(curandStatePhilox4_32_10_t *state)
{
    const double2 a = curand_normal2_double(state);
    const double2 b = curand_normal2_double(state);
    return make_double4(a.x, a.y, b.x, b.y);
}

/** A float whose logarithm has this mean and standard deviation. */
template <class State>
inline float curand_log_normal(State *state, float mean, float deviation)
{
    return expf(mean + deviation * curand_normal(state));
}

/** A double whose logarithm has this mean and standard deviation. */
template <class State>
inline double curand_log_normal_double(State *state, double mean,
                                       double deviation)
{
    return exp(mean + deviation * curand_normal_double(state));
}

/** Two floats whose logarithms have this mean and standard deviation. */
template <class State>
inline float2 curand_log_normal2(State *state, float mean, float deviation)
{
    const float2 x = curand_normal2(state);
    return make_float2(expf(mean + deviation * x.x),
                       expf(mean + deviation * x.y));
}

/** Two doubles whose logarithms have this mean and standard deviation. */
template <class State>
inline double2 curand_log_normal2_double(State *state, double mean,
                                         double deviation)
{
    const double2 x = curand_normal2_double(state);
    return make_double2(exp(mean + deviation * x.x),
                        exp(mean + deviation * x.y));
}

/** Four floats whose logarithms have this mean and standard deviation. */
inline float4 curand_log_normal4(curandStatePhilox4_32_10_t *state, float mean,
                                 float deviation)
{
    const float4 x = curand_normal4(state);
    return make_float4(
        expf(mean + deviation * x.x), expf(mean + deviation * x.y),
        expf(mean + deviation * x.z), expf(mean + deviation * x.w));
}

/** Four doubles whose logarithms have this mean and standard deviation. */
inline double4 curand_log_normal4_double(curandStatePhilox4_32_10_t *state,
                                         double mean, double deviation)
{
    const double4 x = curand_normal4_double(state);
    return make_double4(
        exp(mean + deviation * x.x), exp(mean + deviation * x.y),
        exp(mean + deviation * x.z), exp(mean + deviation * x.w));
}

#endif
