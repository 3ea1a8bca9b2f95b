/* SPDX-License-Identifier: MIT */
/** @file
 *  Reproducible random numbers: the generator splitmix64 (Steele, Lea and
 *  Flood, "Fast splittable pseudorandom number generators", 2014).  Host only.
 *  Any seed is good, even successive integers. */
#ifndef RANDOM_BITS_H
#define RANDOM_BITS_H

#include <stddef.h>
#include <stdint.h>

/** The next 64 random bits; advances `state`. */
static inline uint64_t random_bits(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/** The state of an independent stream (a, b) under a seed: for example of an
 *  image (b) in an epoch (a). */
static inline uint64_t random_state(uint64_t seed, uint64_t a, uint64_t b)
{
    uint64_t state = seed;

    state = random_bits(&state) + a;
    state = random_bits(&state) + b;
    return random_bits(&state);
}

/** A random integer from 0 to n - 1; n is above 0 and far below 2^64. */
static inline uint64_t random_below(uint64_t *state, uint64_t n)
{
    return (uint64_t)((unsigned __int128)random_bits(state) * n >> 64);
}

/** A uniform random number in [0, 1). */
static inline double random_uniform01(uint64_t *state)
{
    return (double)(random_bits(state) >> 11) * 0x1p-53;
}

/** A random permutation of 0 to n - 1 (Fisher and Yates).
 *  @param[out] order  n indices */
static inline void random_permutation(size_t *order, size_t n, uint64_t seed)
{
    uint64_t state = seed;

    for (size_t i = 0; i < n; i++) {
        const size_t k = (size_t)random_below(&state, i + 1);

        order[i] = order[k];
        order[k] = i;
    }
}

#endif
