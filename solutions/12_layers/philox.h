/* SPDX-License-Identifier: MIT */
/** @file
 *  The random number generator of dropout: counter-based, without state. */
#ifndef LAYERS_PHILOX_H
#define LAYERS_PHILOX_H

#include "common.h"

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
__device__ static inline uint4 dropout_random_words(unsigned quad,
                                                    struct dropout config)
{
    unsigned step = config.d_step ? (unsigned)*config.d_step : 0;

    return philox(
        make_uint4(quad, 0, step, 0),
        make_uint2((unsigned)config.seed, (unsigned)(config.seed >> 32)));
}

/** Scale a kept element by 1 / (1 - p); an element whose word is less than p *
 *  2^32 is dropped. */
__device__ static inline float apply_dropout(float x, unsigned word, float p)
{
    return word < (unsigned)(p * 0x1p32f) ? 0 : x * (1 / (1 - p));
}

#endif
