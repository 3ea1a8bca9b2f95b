/* SPDX-License-Identifier: MIT */
/* Mutations by the seeded generator of common/base/random.h. */
#include "mutate.h"

#include <stdint.h>
#include <string.h>

#include "common/base/random.h"

/* Below n, and 0 for n of 0. */
static size_t below(size_t n)
{
    return n ? (size_t)random_int(0, (int)n - 1) : 0;
}

/* Put bytes at a place, over `replaced` others. */
static void splice(struct input *input, size_t at, size_t replaced,
                   const void *bytes, size_t length)
{
    static unsigned char part[MUTATE_BYTES];

    if (replaced > input->length - at)
        replaced = input->length - at;
    if (input->length - replaced + length > MUTATE_BYTES)
        return;
    memcpy(part, bytes, length); /* which may lie in the input itself */
    memmove(input->data + at + length, input->data + at + replaced,
            input->length - at - replaced);
    memcpy(input->data + at, part, length);
    input->length = input->length - replaced + length;
}

/* A binary number at the limit of a type, of 1, 2, 4 or 8 bytes. */
static void write_number(struct input *input, size_t at)
{
    static const uint64_t numbers[] = {
        0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000,
        0xffffffff, 0x100000000, 0x7fffffffffffffff, 0x8000000000000000,
        UINT64_MAX, 4096, 65536};
    const uint64_t value = numbers[below(sizeof numbers / sizeof *numbers)];
    const size_t bytes = (size_t)1 << below(4);

    splice(input, at, bytes, &value, bytes);
}

/* A decimal number or another text that many formats know. */
static void write_word(struct input *input, size_t at,
                       const char *const *words)
{
    static const char *const common[] = {
        "-1", "0", "1e999", "9223372036854775808", "nan", "1e-320", "\"",
        "\\u0000", "\xff", "\n", "\r\n", "{", "}", "[", "]", "null", "true",
        "%s%n", "../", "\xef\xbb\xbf", "'", ";", ",", "=", "\x1b[2J", "<b>"};
    size_t count = 0;
    const char *word;

    while (words && words[count])
        count++;
    word = count && below(2) ? words[below(count)]
                             : common[below(sizeof common / sizeof *common)];
    splice(input, at, below(2) ? strlen(word) : 0, word, strlen(word));
}

/* One of eight changes: bits, bytes, insertions, deletions, parts of another
 * input, words of the format. */
static void mutate_once(struct input *input, const char *const *words,
                        const struct input *other)
{
    const size_t at = below(input->length + 1);
    const size_t from = below(other->length + 1);
    const size_t some = below(64) + 1;
    const unsigned char byte = (unsigned char)random_int(0, 255);

    switch (below(8)) {
    case 0:
        if (at < input->length)
            input->data[at] ^= (unsigned char)(1 << below(8));
        break;
    case 1: splice(input, at, 1, &byte, 1); break;
    case 2: write_number(input, at); break;
    case 3: write_word(input, at, words); break;
    case 4: splice(input, at, below(some), "", 0); break;
    case 5: splice(input, at, below(input->length + 1), "", 0); break;
    case 6: /* a part of itself, once more */
        splice(input, at, 0, input->data + below(at + 1), below(at + 1) / 4);
        break;
    default:
        splice(input, at, below(some), other->data + from,
               below(other->length - from + 1));
    }
}

void mutate(struct input *input, const char *const *words,
            const struct input *other)
{
    for (size_t n = below(8) + 1; n > 0; n--)
        mutate_once(input, words, other);
    input->data[input->length] = 0;
}
