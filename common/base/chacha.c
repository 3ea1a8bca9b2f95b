/* SPDX-License-Identifier: MIT */
/* ChaCha20, one block in each lane of a vector. */
#include "chacha.h"

typedef uint32_t lanes
    __attribute__((vector_size(4 * CHACHA_LANES), aligned(4 * CHACHA_LANES)));

/* The quarter round of RFC 8439, section 2.1, on all lanes at once. */
static inline __attribute__((always_inline)) void
quarter_round(lanes *x, int a, int b, int c, int d)
{
    x[a] += x[b];
    x[d] ^= x[a];
    x[d] = x[d] << 16 | x[d] >> 16;
    x[c] += x[d];
    x[b] ^= x[c];
    x[b] = x[b] << 12 | x[b] >> 20;
    x[a] += x[b];
    x[d] ^= x[a];
    x[d] = x[d] << 8 | x[d] >> 24;
    x[c] += x[d];
    x[b] ^= x[c];
    x[b] = x[b] << 7 | x[b] >> 25;
}

/* Inlined, so that it takes the instructions of its caller. */
static inline __attribute__((always_inline)) void double_round(
    lanes x[CHACHA_BLOCK])
{
    for (int i = 0; i < 4; i++) /* columns */
        quarter_round(x, i, 4 + i, 8 + i, 12 + i);
    for (int i = 0; i < 4; i++) /* diagonals */
        quarter_round(x, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4);
}

/* The words are the same on any processor; one with wider vectors has them
 * sooner.  (clang 14 wants the attribute at the declaration, too.) */
#if defined __x86_64__ && (!defined __clang__ || __clang_major__ > 14)
__attribute__((target_clones("avx512f", "avx2", "default")))
#endif
void chacha_blocks(const uint32_t key[CHACHA_KEY], uint32_t counter,
                   const uint32_t nonce[3], uint32_t out[CHACHA_WORDS])
{
    static const uint32_t constants[4] = {0x61707865, 0x3320646e, 0x79622d32,
                                          0x6b206574};
    lanes start[CHACHA_BLOCK], x[CHACHA_BLOCK];

    for (int i = 0; i < CHACHA_BLOCK; i++) {
        const uint32_t word = i < 4    ? constants[i]
                              : i < 12 ? key[i - 4]
                              : i > 12 ? nonce[i - 13]
                                       : counter;

        for (int lane = 0; lane < CHACHA_LANES; lane++)
            start[i][lane] = word + (i == 12 ? (uint32_t)lane : 0);
        x[i] = start[i];
    }
    for (int i = 0; i < 10; i++)
        double_round(x);
    for (int lane = 0; lane < CHACHA_LANES; lane++)
        for (int i = 0; i < CHACHA_BLOCK; i++)
            out[CHACHA_BLOCK * lane + i] = x[i][lane] + start[i][lane];
}
