/* SPDX-License-Identifier: MIT */
/** @file
 *  Permutations for SOFTGPU_SEED: the same seed gives the same order.
 */
#ifndef SOFTGPU_PERMUTE_H
#define SOFTGPU_PERMUTE_H

#include <stdint.h>

/** The next number of a random sequence (splitmix64). */
static inline uint64_t softgpu_random(uint64_t *state)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/** A pseudo-random permutation of 0 to n - 1, applied to i; the identity for
 *  seed 0.  Three rounds of mixing permute the next power of two; a result of
 *  n or more is permuted again (cycle walking). */
static inline uint64_t softgpu_permute(uint64_t seed, uint64_t i, uint64_t n)
{
    if (seed == 0 || n < 3)
        return seed & 1 ? n - 1 - i : i;
    const int bits = 64 - __builtin_clzll(n - 1);
    const uint64_t mask = bits == 64 ? ~0ull : (1ull << bits) - 1;
    const int half = (bits + 1) / 2;
    do {
        uint64_t state = seed;
        for (int round = 0; round < 3; round++) {
            i = (i * (softgpu_random(&state) | 1) + softgpu_random(&state))
                & mask;
            i ^= i >> half;
        }
    } while (i >= n);
    return i;
}

/** The same within windows of 32 numbers.  A GPU, too, starts its blocks
 *  nearly in index order, and programs whose blocks wait for earlier blocks
 *  rely on that. */
static inline uint64_t softgpu_permute_windows(uint64_t seed, uint64_t i,
                                               uint64_t n)
{
    enum { WINDOW = 32 };
    const uint64_t first = i / WINDOW * WINDOW;
    const uint64_t left = n - first;
    if (seed == 0)
        return i;
    return first + softgpu_permute(seed + first, i - first,
                                   left < WINDOW ? left : WINDOW);
}

#endif
