/* SPDX-License-Identifier: MIT */
/* Random inputs: xoshiro256**, seeded by a number and a name. */
#include "random.h"

#include <string.h>
#include <sys/random.h>
#include <time.h>

static uint64_t state[4];

static uint64_t splitmix64(uint64_t *x)
{
    uint64_t z = *x += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

void random_seed(uint64_t seed, const char *name)
{
    uint64_t x = seed;

    for (; *name; name++)
        x = splitmix64(&x) ^ (unsigned char)*name;
    for (int i = 0; i < 4; i++)
        state[i] = splitmix64(&x);
}

static uint64_t rotate_left(uint64_t x, int by)
{
    return x << by | x >> (64 - by);
}

uint64_t random_bits(void)
{
    uint64_t result = rotate_left(state[1] * 5, 7) * 9, t = state[1] << 17;

    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= t;
    state[3] = rotate_left(state[3], 45);
    return result;
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

    if (getrandom(&secret, sizeof secret, 0) != sizeof secret)
        secret = (uint64_t)time(NULL); /* no generator: not secret */
    return secret;
}
