/* SPDX-License-Identifier: MIT */
/** @file
 *  Skip-ahead of Marsaglia's XORWOW generator.  One step is a linear map of its
 *  160 bits, so the map of 2^k steps is that of 2^(k-1) steps applied twice.
 *  All maps are computed at the first skip (some milliseconds) and kept.
 */
#include "softgpu/xorwow.h"

#include <pthread.h>
#include <string.h>

enum { WORDS = 5, BITS = 32 * WORDS, POWERS = 67 + 64 };

/* map[k][i]: the state after 2^k steps from bit i alone. */
static uint32_t map[POWERS][BITS][WORDS];
static pthread_once_t maps_once = PTHREAD_ONCE_INIT;

/* One step of Marsaglia's xorwow, without its counter. */
static void step(uint32_t v[WORDS])
{
    uint32_t t = v[0] ^ v[0] >> 2;

    memmove(v, v + 1, (WORDS - 1) * sizeof(*v));
    v[4] = v[4] ^ v[4] << 4 ^ t ^ t << 1;
}

/* A step is linear over bits, so many steps are one matrix. */
static void apply(uint32_t (*const by)[WORDS], uint32_t v[WORDS])
{
    uint32_t sum[WORDS] = { 0 };

    for (int i = 0; i < BITS; i++)
        if (v[i / 32] >> i % 32 & 1)
            for (int w = 0; w < WORDS; w++)
                sum[w] ^= by[i][w];
    memcpy(v, sum, sizeof(sum));
}

/* Matrices of 2^0, 2^1, ... steps, by repeated squaring, to skip ahead. */
static void make_maps(void)
{
    for (int i = 0; i < BITS; i++) {
        map[0][i][i / 32] = 1u << i % 32;
        step(map[0][i]);
    }
    for (int k = 1; k < POWERS; k++)
        for (int i = 0; i < BITS; i++) {
            memcpy(map[k][i], map[k - 1][i], sizeof(map[k][i]));
            apply(map[k - 1], map[k][i]);
        }
}

void softgpu_xorwow_jump(uint32_t v[5], uint64_t count, unsigned log2_steps)
{
    pthread_once(&maps_once, make_maps);
    for (unsigned k = log2_steps; count && k < POWERS; k++, count >>= 1)
        if (count & 1)
            apply(map[k], v);
}
