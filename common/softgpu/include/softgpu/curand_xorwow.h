/* SPDX-License-Identifier: MIT */
/** @file
 *  The XORWOW generator: Marsaglia's shift register of 160 bits and a Weyl
 *  counter.  Subsequences are 2^67 numbers apart.
 */
#ifndef SOFTGPU_CURAND_XORWOW_H
#define SOFTGPU_CURAND_XORWOW_H

#include "softgpu/xorwow.h"

/** State of one sequence. */
struct curandStateXORWOW {
    unsigned d, v[5];
    int boxmuller_flag, boxmuller_flag_double; /* 1: one number is left */
    float boxmuller_extra;
    double boxmuller_extra_double;
};
/** State of one sequence. */
typedef struct curandStateXORWOW curandStateXORWOW_t;

/** Advance the register by n << log2_steps numbers: in a copy, so that the
 *  accesses to the state are the program's, which are checked. */
inline void softgpu_xorwow_skip(curandStateXORWOW_t *state,
                                unsigned long long n, unsigned log2_steps)
{
    unsigned v[5];
    for (int i = 0; i < 5; i++)
        v[i] = state->v[i];
    softgpu_xorwow_jump(v, n, log2_steps);
    for (int i = 0; i < 5; i++)
        state->v[i] = v[i];
}

/** Advance by n numbers. */
inline void skipahead(unsigned long long n, curandStateXORWOW_t *state)
{
    softgpu_xorwow_skip(state, n, 0);
    state->d += 362437u * static_cast<unsigned>(n);
}

/** Advance by n subsequences. */
inline void skipahead_sequence(unsigned long long n, curandStateXORWOW_t *state)
{
    softgpu_xorwow_skip(state, n,
                        67); /* the counter wraps to the same value */
}

/** Initialize a state: number `offset` of a subsequence of a seed. */
inline void curand_init(unsigned long long seed, unsigned long long subsequence,
                        unsigned long long offset, curandStateXORWOW_t *state)
{
    unsigned low = static_cast<unsigned>(seed) ^ 0xaad26b49u;
    unsigned high = static_cast<unsigned>(seed >> 32) ^ 0xf7dcefddu;
    unsigned a = 1099087573u * low, b = 2591861531u * high;
    *state = {6615241u + b + a,
              {123456789u + a, 362436069u ^ a, 521288629u + b, 88675123u ^ b,
               5783321u + a},
              0, 0, 0, 0};
    skipahead_sequence(subsequence, state);
    skipahead(offset, state);
}

/** The next 32 bits. */
inline unsigned curand(curandStateXORWOW_t *state)
{
    unsigned *v = state->v, t = v[0] ^ v[0] >> 2;
    v[0] = v[1];
    v[1] = v[2];
    v[2] = v[3];
    v[3] = v[4];
    v[4] = v[4] ^ v[4] << 4 ^ t ^ t << 1;
    state->d += 362437;
    return v[4] + state->d;
}

#endif
