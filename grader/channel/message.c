/* SPDX-License-Identifier: MIT */
/* What both processes must compute alike: headers, digest, poison. */
#include "message.h"

#include <string.h>

bool header_ok(const struct header *header, enum message_type type,
               uint64_t sequence, uint64_t most)
{
    return header->magic == MESSAGE_MAGIC && header->type == type
           && header->sequence == sequence && header->length <= most;
}

/* splitmix64's mixing step: every input bit changes half the output bits. */
static uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* Four lanes, so that the multiplications overlap: the digest is part of the
 * timed region and must run at the speed of memory. */
uint64_t digest_more(uint64_t state, const void *data, size_t length)
{
    enum { LANES = 4, STEP = LANES * 8 };
    const unsigned char *at = data;
    uint64_t lane[LANES], word[LANES];

    for (unsigned i = 0; i < LANES; i++)
        lane[i] = mix(state + i);
    for (size_t left = length; left > 0;) {
        size_t step = left < STEP ? left : STEP;

        if (step < STEP)
            memset(word, 0, sizeof word);
        memcpy(word, at, step);
        for (unsigned i = 0; i < LANES; i++) {
            lane[i] = (lane[i] ^ word[i]) * 0x9fb21c651e98df25u;
            lane[i] ^= lane[i] >> 29;
        }
        at += step;
        left -= step;
    }
    for (unsigned i = 0; i < LANES; i++)
        state = mix(state ^ lane[i]);
    return mix(state ^ length);
}

void poison_fill(void *out, size_t length, uint64_t poison, unsigned index)
{
    unsigned char *at = out;
    uint64_t word = mix(poison + index);

    for (size_t done = 0; done < length; done += sizeof word) {
        size_t step = length - done;

        word = mix(word);
        memcpy(at + done, &word, step < sizeof word ? step : sizeof word);
    }
}
