/* SPDX-License-Identifier: MIT */
/** @file
 *  Seeds of MRG32k3a, and its skip-ahead: a step multiplies the three words of
 *  a recurrence by a matrix, so 2^k steps multiply them by that matrix squared
 *  k times.  All these powers are computed at the first jump.
 */
#include "softgpu/mrg32k3a.h"

#include <pthread.h>
#include <string.h>

enum { POWERS = 127 + 64 };

typedef uint32_t matrix[3][3];

/* One step of each recurrence; negative coefficients are taken modulo m. */
static const matrix step1 = {
    { 0, 1, 0 }, { 0, 0, 1 }, { SOFTGPU_MRG_M1 - 810728u, 1403580u, 0 }
};
static const matrix step2 = {
    { 0, 1, 0 }, { 0, 0, 1 }, { SOFTGPU_MRG_M2 - 1370589u, 0, 527612u }
};

/* One element of a product modulo m. */
static uint32_t dot(const uint32_t row[3], uint32_t x, uint32_t y, uint32_t z,
                    uint64_t m)
{
    /* Each product is below 2^64, so each is reduced before it is added. */
    return (uint32_t)((row[0] * (uint64_t)x % m + row[1] * (uint64_t)y % m
                       + row[2] * (uint64_t)z % m)
                      % m);
}

/* power[k]: the matrix of 2^k steps. */
struct powers {
    matrix of[POWERS];
};
static struct powers first, second;
static pthread_once_t powers_once = PTHREAD_ONCE_INIT;

/* to = a * a modulo m. */
static void square(matrix to, const matrix a, uint32_t m)
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            to[i][k] = dot(a[i], a[0][k], a[1][k], a[2][k], m);
}

/* All powers that a jump of 64 bits, scaled by 2^127, may need. */
static void make_powers(void)
{
    memcpy(first.of[0], step1, sizeof step1);
    memcpy(second.of[0], step2, sizeof step2);
    for (int k = 1; k < POWERS; k++) {
        square(first.of[k], first.of[k - 1], SOFTGPU_MRG_M1);
        square(second.of[k], second.of[k - 1], SOFTGPU_MRG_M2);
    }
}

/* v = by * v modulo m. */
static void apply(uint32_t v[3], const matrix by, uint32_t m)
{
    const uint32_t x = v[0], y = v[1], z = v[2];
    for (int i = 0; i < 3; i++)
        v[i] = dot(by[i], x, y, z, m);
}

/* Multiply by the powers whose bits are set in the count. */
void softgpu_mrg_jump(struct softgpu_mrg32k3a *state, uint64_t count,
                      unsigned log2_steps)
{
    pthread_once(&powers_once, make_powers);
    for (unsigned k = log2_steps; count && k < POWERS; k++, count >>= 1) {
        if (!(count & 1))
            continue;
        apply(state->s1, first.of[k], SOFTGPU_MRG_M1);
        apply(state->s2, second.of[k], SOFTGPU_MRG_M2);
    }
}

/* The halves of the seed scale L'Ecuyer's words, in turns. */
void softgpu_mrg_seed(struct softgpu_mrg32k3a *state, uint64_t seed)
{
    const uint64_t words = 12345; /* L'Ecuyer's */
    const uint32_t low = (uint32_t)seed ^ 0x55555555u;
    const uint32_t high = (uint32_t)(seed >> 32) ^ 0xaaaaaaaau;

    for (int i = 0; i < 3; i++) {
        const uint32_t x = seed ? i == 1 ? high : low : 1;
        const uint32_t y = seed ? i == 1 ? low : high : 1;
        state->s1[i] = (uint32_t)(words * x % SOFTGPU_MRG_M1);
        state->s2[i] = (uint32_t)(words * y % SOFTGPU_MRG_M2);
    }
}
