/* SPDX-License-Identifier: MIT */
/* Random inputs: ChaCha20, with a key made of a number and a name. */
#include "random.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "chacha.h"

/* Words of one key, taken in order.  A counter has 32 bits, and the nonce
 * counts its rounds. */
struct stream {
    uint32_t key[CHACHA_KEY], nonce[3], counter;
    uint32_t words[CHACHA_WORDS];
    unsigned used; /* of `words` */
};

/* Purposes of a key: no stream tells of another. */
enum { FOR_INPUTS = 1, FOR_POISON, FOR_NAME };

static struct stream inputs = {.used = CHACHA_WORDS};
static struct stream poison = {.used = CHACHA_WORDS};

/* The key of a seed and a name: each 8 bytes of the name, and then its length,
 * replace the key by words of its own stream. */
static void derive_key(uint64_t seed, const char *name,
                       uint32_t key[CHACHA_KEY])
{
    const size_t length = strlen(name);
    uint32_t words[CHACHA_WORDS];

    memset(key, 0, CHACHA_KEY * sizeof *key);
    memcpy(key, &seed, sizeof seed);
    for (size_t at = 0; at <= length; at += 8) {
        uint32_t nonce[3] = {FOR_NAME, 0, 0};
        const size_t left = length - at;

        memcpy(nonce + 1, name + at, left < 8 ? left : 8);
        chacha_blocks(key, (uint32_t)length, nonce, words);
        memcpy(key, words, CHACHA_KEY * sizeof *key);
    }
}

/* Streams of different purposes share the key but no nonce, so one reveals
 * nothing of another. */
static void start_stream(struct stream *stream, uint32_t purpose,
                         const uint32_t key[CHACHA_KEY])
{
    *stream = (struct stream){.nonce = {purpose}, .used = CHACHA_WORDS};
    memcpy(stream->key, key, sizeof stream->key);
}

/* 64 bits of the key stream; the nonce's second word continues the counter when
 * 32 bits of it are used up. */
static uint64_t next_word(struct stream *stream)
{
    uint64_t word;

    if (stream->used == CHACHA_WORDS) {
        chacha_blocks(stream->key, stream->counter, stream->nonce,
                      stream->words);
        stream->counter += CHACHA_LANES;
        stream->nonce[1] += stream->counter == 0;
        stream->used = 0;
    }
    memcpy(&word, stream->words + stream->used, sizeof word);
    stream->used += 2;
    return word;
}

void random_seed(uint64_t seed, const char *name)
{
    uint32_t key[CHACHA_KEY];

    derive_key(seed, name, key);
    start_stream(&inputs, FOR_INPUTS, key);
    start_stream(&poison, FOR_POISON, key);
}

uint64_t random_bits(void)
{
    return next_word(&inputs);
}

uint64_t random_poison(void)
{
    return next_word(&poison);
}

int64_t random_int(int64_t lo, int64_t hi)
{
    uint64_t range = (uint64_t)hi - (uint64_t)lo + 1;

    if (range == 0) /* all 64-bit numbers */
        return (int64_t)random_bits();
    return (int64_t)((uint64_t)lo + random_bits() % range);
}

double random_uniform(double lo, double hi)
{
    return lo + (hi - lo) * ((double)(random_bits() >> 11) * 0x1p-53);
}

void random_floats(float *out, size_t n, double lo, double hi)
{
    for (size_t i = 0; i < n; i++)
        out[i] = (float)random_uniform(lo, hi);
}

/* Fast: sign, exponent and mantissa are composed as bits. */
void random_wide_range(float *out, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t bits = random_bits();
        uint32_t exponent = 127 - 20 + (uint32_t)(bits >> 32) % 41;
        uint32_t word = ((uint32_t)bits & 0x807fffffu) | exponent << 23;

        memcpy(&out[i], &word, sizeof word);
    }
}

void random_integral(float *out, size_t n, int lo, int hi)
{
    for (size_t i = 0; i < n; i++)
        out[i] = (float)random_int(lo, hi);
}

void random_bytes(uint8_t *out, size_t n)
{
    for (size_t i = 0; i < n; i += sizeof(uint64_t)) {
        uint64_t bits = random_bits();

        memcpy(out + i, &bits, n - i < sizeof bits ? n - i : sizeof bits);
    }
}

void random_ints(int32_t *out, size_t n, int32_t lo, int32_t hi)
{
    for (size_t i = 0; i < n; i++)
        out[i] = (int32_t)random_int(lo, hi);
}

uint64_t random_system_seed(void)
{
    uint64_t secret = 0;

    while (getrandom(&secret, sizeof secret, 0) != sizeof secret)
        if (errno != EINTR) {
            perror("warpbook: getrandom");
            exit(EXIT_FAILURE); /* a seed that can be guessed is none */
        }
    return secret;
}
