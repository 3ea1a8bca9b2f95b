/* SPDX-License-Identifier: MIT */
/** @file
 *  The MRG32k3a generator of cuRAND's device API.  Subsequences are 2^76
 *  numbers apart, sequences 2^127.
 */
#ifndef SOFTGPU_CURAND_MRG32K3A_H
#define SOFTGPU_CURAND_MRG32K3A_H

#include "softgpu/mrg32k3a.h"
#include "vector_functions.h"

/** State of one sequence. */
struct curandStateMRG32k3a {
    softgpu_mrg32k3a words;
    int boxmuller_flag, boxmuller_flag_double; /* 1: one number is left */
    float boxmuller_extra;
    double boxmuller_extra_double;
};
/** State of one sequence. */
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;

/** Advance by n numbers. */
inline void skipahead(unsigned long long n, curandStateMRG32k3a_t *state)
{
    softgpu_mrg_jump(&state->words, n, 0);
}

/** Advance by n subsequences; only the low 51 bits of n count. */
inline void skipahead_subsequence(unsigned long long n,
                                  curandStateMRG32k3a_t *state)
{
    softgpu_mrg_jump(&state->words, n & ((1ull << 51) - 1), 76);
}

/** Advance by n sequences. */
inline void skipahead_sequence(unsigned long long n,
                               curandStateMRG32k3a_t *state)
{
    softgpu_mrg_jump(&state->words, n, 127);
}

/** Initialize a state: number `offset` of a subsequence of a seed. */
inline void curand_init(unsigned long long seed, unsigned long long subsequence,
                        unsigned long long offset,
                        curandStateMRG32k3a_t *state)
{
    *state = {};
    softgpu_mrg_seed(&state->words, seed);
    skipahead_subsequence(subsequence, state);
    skipahead(offset, state);
}

/** The next 32 bits. */
inline unsigned curand(curandStateMRG32k3a_t *state)
{
    return static_cast<unsigned>(softgpu_mrg_next(&state->words)
                                 * SOFTGPU_MRG_TO_BITS);
}

/** A double in (0, 1], of one output. */
inline double curand_uniform_double(curandStateMRG32k3a_t *state)
{
    return softgpu_mrg_next(&state->words) * SOFTGPU_MRG_TO_UNIT;
}

/** A float in (0, 1]. */
inline float curand_uniform(curandStateMRG32k3a_t *state)
{
    return static_cast<float>(curand_uniform_double(state));
}

/** Two floats with mean 0 and standard deviation 1. */
inline float2 curand_normal2(curandStateMRG32k3a_t *state)
{
    float radius = sqrtf(-2.0f * logf(curand_uniform(state)));
    float angle = curand_uniform(state) * 6.2831855f;
    return make_float2(radius * sinf(angle), radius * cosf(angle));
}

/** Two doubles with mean 0 and standard deviation 1. */
inline double2 curand_normal2_double(curandStateMRG32k3a_t *state)
{
    double radius = sqrt(-2.0 * log(curand_uniform_double(state)));
    double angle = curand_uniform_double(state) * 2.0 * 3.14159265358979323846;
    return make_double2(radius * sin(angle), radius * cos(angle));
}

#endif
