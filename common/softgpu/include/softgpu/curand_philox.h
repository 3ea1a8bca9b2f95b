/* SPDX-License-Identifier: MIT */
/** @file
 *  The Philox4x32-10 generator (Salmon et al. 2011): ten rounds over a
 *  counter of 128 bits give four numbers.  The upper 64 bits of the counter
 *  are the subsequence.
 */
#ifndef SOFTGPU_CURAND_PHILOX_H
#define SOFTGPU_CURAND_PHILOX_H

#include "vector_functions.h"

/** State of one sequence. */
struct curandStatePhilox4_32_10 {
    uint4 ctr, output;
    uint2 key;
    unsigned STATE; /* index of the next of the four numbers */
    int boxmuller_flag, boxmuller_flag_double; /* 1: one number is left */
    float boxmuller_extra;
    double boxmuller_extra_double;
};
/** State of one sequence. */
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

/** The four numbers of a counter: ten rounds. */
inline uint4 curand_Philox4x32_10(uint4 c, uint2 k)
{
    for (int round = 0; round < 10; round++) {
        unsigned long long a = 0xd2511f53ull * c.x, b = 0xcd9e8d57ull * c.z;
        c = make_uint4(static_cast<unsigned>(b >> 32) ^ c.y ^ k.x,
                       static_cast<unsigned>(b),
                       static_cast<unsigned>(a >> 32) ^ c.w ^ k.y,
                       static_cast<unsigned>(a));
        k.x += 0x9e3779b9u;
        k.y += 0xbb67ae85u;
    }
    return c;
}

namespace softgpu {

/** Add n to the 128-bit counter. */
inline void philox_add(uint4 &c, unsigned long long n)
{
    unsigned long long low = c.x | static_cast<unsigned long long>(c.y) << 32;
    unsigned long long sum = low + n;
    c.x = static_cast<unsigned>(sum);
    c.y = static_cast<unsigned>(sum >> 32);
    if (sum < low && ++c.z == 0)
        c.w++;
}

/** Component i of a vector. */
inline unsigned philox_component(const uint4 &x, unsigned i)
{
    const unsigned parts[] = { x.x, x.y, x.z, x.w };
    return parts[i];
}

} // namespace softgpu

/** Advance by n numbers. */
inline void skipahead(unsigned long long n, curandStatePhilox4_32_10_t *state)
{
    state->STATE += n & 3;
    softgpu::philox_add(state->ctr, n / 4 + state->STATE / 4);
    state->STATE %= 4;
    state->output = curand_Philox4x32_10(state->ctr, state->key);
}

/** Advance by n subsequences of 2^66 numbers. */
inline void skipahead_sequence(unsigned long long n,
                               curandStatePhilox4_32_10_t *state)
{
    unsigned long long high = state->ctr.z
                              | static_cast<unsigned long long>(state->ctr.w)
                                    << 32;
    high += n;
    state->ctr.z = static_cast<unsigned>(high);
    state->ctr.w = static_cast<unsigned>(high >> 32);
    state->output = curand_Philox4x32_10(state->ctr, state->key);
}

/** Initialize a state: number `offset` of a subsequence of a seed. */
inline void curand_init(unsigned long long seed, unsigned long long subsequence,
                        unsigned long long offset,
                        curandStatePhilox4_32_10_t *state)
{
    *state = {};
    state->key = make_uint2(static_cast<unsigned>(seed),
                            static_cast<unsigned>(seed >> 32));
    skipahead_sequence(subsequence, state);
    skipahead(offset, state);
}

/** The next 32 bits. */
inline unsigned curand(curandStatePhilox4_32_10_t *state)
{
    unsigned result = softgpu::philox_component(state->output, state->STATE++);
    if (state->STATE == 4) {
        softgpu::philox_add(state->ctr, 1);
        state->output = curand_Philox4x32_10(state->ctr, state->key);
        state->STATE = 0;
    }
    return result;
}

/** The next four numbers. */
inline uint4 curand4(curandStatePhilox4_32_10_t *state)
{
    uint4 result;
    result.x = curand(state);
    result.y = curand(state);
    result.z = curand(state);
    result.w = curand(state);
    return result;
}

#endif
