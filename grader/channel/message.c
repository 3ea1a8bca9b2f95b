/* SPDX-License-Identifier: MIT */
/* Functions of both processes: headers, digest, poison. */
#include "message.h"

#include <string.h>

#include "digest.h"

bool header_is_valid(const struct header *header, enum message_type type,
                     uint64_t sequence, uint64_t most)
{
    return header->magic == MESSAGE_MAGIC && header->type == type
           && header->sequence == sequence && header->length <= most;
}

uint64_t digest_update(uint64_t state, const void *data, size_t length)
{
    const unsigned char *at = data;
    const uint64_t key = digest_key(state, length);
    uint64_t sum = 0, word = 0;
    size_t i = 0;

    for (; i < length / sizeof word; i++) {
        memcpy(&word, at + i * sizeof word, sizeof word);
        sum += digest_word(key, i, word);
    }
    word = 0;
    if (length % sizeof word) {
        memcpy(&word, at + i * sizeof word, length % sizeof word);
        sum += digest_word(key, i, word);
    }
    return digest_final(key, sum);
}

void poison_fill(void *out, size_t length, uint64_t poison, unsigned index)
{
    unsigned char *at = out;
    uint64_t word = digest_mix(poison + index);

    for (size_t done = 0; done < length; done += sizeof word) {
        size_t step = length - done;

        word = digest_mix(word);
        memcpy(at + done, &word, step < sizeof word ? step : sizeof word);
    }
}
