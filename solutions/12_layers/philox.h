/* SPDX-License-Identifier: MIT */
// BEGIN SOLUTION
/** @file
 *  The generator behind dropout: numbers from a counter, with no state. */
#ifndef LAYERS_PHILOX_H
#define LAYERS_PHILOX_H

#include "common.h"

// END SOLUTION
/** Philox4x32-10: four words of 32 random bits for each counter and key.
 *  Known answer: counter {0, 0, 0, 0}, key {0, 0} gives 6627e8d5 e169c58d
 *  bc57ac4c 9b00dbd8. */
__device__ static inline uint4 philox(uint4 counter, uint2 key)
{
    const unsigned a = 0xd2511f53, b = 0xcd9e8d57;

    for (int round = 0; round < 10; round++) {
        counter = make_uint4(__umulhi(b, counter.z) ^ counter.y ^ key.x,
                             b * counter.z,
                             __umulhi(a, counter.x) ^ counter.w ^ key.y,
                             a * counter.x);
        key.x += 0x9e3779b9;
        key.y += 0xbb67ae85;
    }
    return counter;
}

/** The words of elements 4 * quad to 4 * quad + 3. */
__device__ static inline uint4 dropout_words(unsigned quad, struct dropout how)
{
    unsigned step = how.d_step ? (unsigned)*how.d_step : 0;

    return philox(make_uint4(quad, 0, step, 0),
                  make_uint2((unsigned)how.seed, (unsigned)(how.seed >> 32)));
}

/** Kept elements' factor is 1 / (1 - p); words below the limit drop theirs. */
__device__ static inline float keep(float x, unsigned word, float p)
{
    return word < (unsigned)(p * 0x1p32f) ? 0 : x * (1 / (1 - p));
}
// BEGIN SOLUTION

#endif
// END SOLUTION
