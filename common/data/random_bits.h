/* SPDX-License-Identifier: MIT */
/** @file
 *  Random numbers that are the same everywhere: splitmix64 (Steele, Lea and
 *  Flood, "Fast splittable pseudorandom number generators", 2014).  Host only.
 *  Any state, even a counter, gives bits that look independent. */
#ifndef RANDOM_BITS_H
#define RANDOM_BITS_H

#include <stddef.h>
#include <stdint.h>

/** The next 64 bits; `state` moves on. */
static inline uint64_t random_bits(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/** A state of its own for the place (a, b) under a seed: epoch and image. */
static inline uint64_t random_state(uint64_t seed, uint64_t a, uint64_t b)
{
    uint64_t state = seed;

    state = random_bits(&state) + a;
    state = random_bits(&state) + b;
    return random_bits(&state);
}

/** A whole number from 0 to n - 1; n is above 0 and far below 2^64. */
static inline uint64_t random_below(uint64_t *state, uint64_t n)
{
    return (uint64_t)((unsigned __int128)random_bits(state) * n >> 64);
}

/** A real number in [0, 1). */
static inline double random_unit(uint64_t *state)
{
    return (double)(random_bits(state) >> 11) * 0x1p-53;
}

/** The numbers 0 to n - 1 in an order that the seed fixes (Fisher and Yates).
 *  @param[out] order  n of them */
static inline void random_order(size_t *order, size_t n, uint64_t seed)
{
    uint64_t state = seed;

    for (size_t i = 0; i < n; i++) {
        const size_t k = (size_t)random_below(&state, i + 1);

        order[i] = order[k];
        order[k] = i;
    }
}

#endif
