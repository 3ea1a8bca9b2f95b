/* SPDX-License-Identifier: MIT */
/** @file
 *  MT19937.  The recurrence is linear over GF(2): a state that is 2^2048 steps
 *  ahead is the sum of those of the next 19,937 states that t^(2^2048) modulo
 *  the characteristic polynomial names (H. Haramoto et al., "Efficient jump
 *  ahead for F2-linear random number generators", INFORMS J. Comput. 20, 2008).
 */
#include "mt19937.h"

#include <pthread.h>
#include <string.h>

enum {
    N = SOFTGPU_MT_WORDS, M = 397, TWIST = (int)0x9908b0df,
    DEGREE = 19937,
    CHUNKS = DEGREE / 64 + 1,  /* 64 coefficients each, the lowest first */
    HIGH = DEGREE % 64,        /* coefficients of the last chunk */
    LOG2_STEPS = 2048,
    VECTORS = 6                /* sums that stay in registers */
};

/* The sums take most of the time: there is a form for AVX2. */
#if defined __x86_64__ && !defined __SANITIZE_ADDRESS__
#define WIDE __attribute__((target_clones("avx2", "default")))
#else
#define WIDE
#endif

typedef uint32_t vector __attribute__((vector_size(32), aligned(4), may_alias));

/* The exponents of the characteristic polynomial below 19937, and the number
 * of them; the jump's exponents. */
static uint16_t lower[256], jump[DEGREE];
static int lower_count, jump_count;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* --- the recurrence ------------------------------------------------------- */

/* The word after those that begin at w. */
static inline uint32_t next_word(const uint32_t *w)
{
    const uint32_t y = (w[0] & 0x80000000u) | (w[1] & 0x7fffffffu);
    return w[M] ^ y >> 1 ^ (-(y & 1) & (uint32_t)TWIST);
}

void softgpu_mt_seed(struct softgpu_mt19937 *state, uint32_t seed)
{
    uint32_t *w = state->word;

    w[0] = seed;
    for (uint32_t i = 1; i < N; i++)
        w[i] = 1812433253u * (w[i - 1] ^ w[i - 1] >> 30) + i;
}

void softgpu_mt_twist(struct softgpu_mt19937 *state)
{
    uint32_t w[2 * N];

    memcpy(w, state->word, sizeof state->word);
    for (int i = 0; i < N; i++)
        w[i + N] = next_word(w + i);
    memcpy(state->word, w + N, sizeof state->word);
}

/* --- the jump's polynomial ------------------------------------------------ */

/* p * (t^n + t^m) of a polynomial below t^(64 * CHUNKS - n). */
static void times_two_terms(uint64_t p[CHUNKS], int n, int m)
{
    uint64_t product[CHUNKS] = {0};

    for (int e = 0; e < 64 * CHUNKS - n; e++)
        if (p[e / 64] >> e % 64 & 1) {
            product[(e + n) / 64] ^= (uint64_t)1 << (e + n) % 64;
            product[(e + m) / 64] ^= (uint64_t)1 << (e + m) % 64;
        }
    memcpy(p, product, sizeof product);
}

/* The characteristic polynomial, which the authors give in closed form: a sum
 * over the bits of the twist, by Horner's rule. */
static void make_characteristic(void)
{
    uint64_t p[CHUNKS] = {1};

    for (int bit = 0; bit < 31; bit++) {
        times_two_terms(p, N - 1, M - 1);
        p[0] ^= (uint32_t)TWIST >> bit & 1;
    }
    times_two_terms(p, N, M);
    p[0] ^= (uint32_t)TWIST >> 31;
    for (int e = 0; e < DEGREE; e++)
        if (p[e / 64] >> e % 64 & 1)
            lower[lower_count++] = (uint16_t)e;
}

/* Replace c * t^(64 * chunk), of which no term is below t^19937, by what is
 * equal to it modulo the characteristic polynomial. */
static void fold(uint64_t *p, int chunk, uint64_t c)
{
    for (int i = 0; i < lower_count; i++) {
        const int e = 64 * chunk - DEGREE + lower[i];
        if (e < 0) {
            p[0] ^= c >> -e;
            continue;
        }
        p[e / 64] ^= c << e % 64;
        if (e % 64)
            p[e / 64 + 1] ^= c >> (64 - e % 64);
    }
}

/* 32 coefficients, a zero between two. */
static uint64_t spread(uint64_t x)
{
    x = (x | x << 16) & 0x0000ffff0000ffffull;
    x = (x | x << 8) & 0x00ff00ff00ff00ffull;
    x = (x | x << 4) & 0x0f0f0f0f0f0f0f0full;
    x = (x | x << 2) & 0x3333333333333333ull;
    return (x | x << 1) & 0x5555555555555555ull;
}

/* The square of a polynomial over GF(2), modulo the characteristic one: its
 * second term is 227 below the first, so that a chunk folds at once. */
static void square(uint64_t p[CHUNKS])
{
    uint64_t wide[2 * CHUNKS];
    const uint64_t mask = ~(uint64_t)0 << HIGH;

    for (int i = 0; i < CHUNKS; i++) {
        wide[2 * i] = spread(p[i] & 0xffffffffu);
        wide[2 * i + 1] = spread(p[i] >> 32);
    }
    for (int chunk = 2 * CHUNKS - 1; chunk >= CHUNKS; chunk--)
        fold(wide, chunk, wide[chunk]);
    fold(wide, CHUNKS - 1, wide[CHUNKS - 1] & mask);
    wide[CHUNKS - 1] &= ~mask;
    memcpy(p, wide, CHUNKS * sizeof *p);
}

static void make_jump(void)
{
    uint64_t p[CHUNKS] = {2}; /* t */

    make_characteristic();
    for (int i = 0; i < LOG2_STEPS; i++)
        square(p);
    for (int e = 0; e < DEGREE; e++)
        if (p[e / 64] >> e % 64 & 1)
            jump[jump_count++] = (uint16_t)e;
}

/* --- the jump ------------------------------------------------------------- */

/* Some words of the sum of the states that the jump names. */
WIDE static void sum_states(uint32_t *to, const uint32_t *w)
{
    vector sum[VECTORS] = {{0}};

    for (int i = 0; i < jump_count; i++) {
        const vector *from = (const vector *)(w + jump[i]);
#pragma GCC unroll 6
        for (int k = 0; k < VECTORS; k++)
            sum[k] ^= from[k];
    }
    memcpy(to, sum, sizeof sum);
}

void softgpu_mt_jump(struct softgpu_mt19937 *state)
{
    static _Thread_local uint32_t w[DEGREE + N];
    const int step = VECTORS * (int)(sizeof(vector) / sizeof *w);

    pthread_once(&once, make_jump);
    memcpy(w, state->word, sizeof state->word);
    for (int i = 0; i < DEGREE; i++)
        w[i + N] = next_word(w + i);
    for (int i = 0; i < N; i += step)
        sum_states(state->word + i, w + i);
}
