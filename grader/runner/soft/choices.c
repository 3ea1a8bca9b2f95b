/* SPDX-License-Identifier: MIT */
/* What the host's choices tell the device.
 *
 * A loop over streams, buffers and pieces repeats its choices, each with a
 * constant step: the words of a choice are compared with those some choices
 * before, and with those plus the last step between two such.  What differs is
 * counted by its size. */
#include "choices.h"

#include <stdlib.h>
#include <string.h>

enum {
    PERIODS = 16,        /* choices after which a loop may repeat itself */
    KEPT = 2 * PERIODS,  /* so that a step is known for each */
    GUESSES = 2 * PERIODS,
    MAX_KEYS = 1024
};

/* The choices under one key. */
struct history {
    const void *key;
    size_t count;     /* words of a choice */
    size_t made;      /* choices */
    unsigned guess;   /* which was the best the last time */
    uint64_t *kept;   /* the last choices: number i at i % KEPT */
};

static struct history histories[MAX_KEYS];
static unsigned keys;

void choices_forget(void)
{
    while (keys)
        free(histories[--keys].kept);
}

/* @return NULL: no room for another key */
static struct history *find_history(const void *key, size_t count)
{
    struct history *h = histories;

    while (h < histories + keys && (h->key != key || h->count != count))
        h++;
    if (h == histories + MAX_KEYS)
        return NULL;
    if (h == histories + keys) {
        keys++;
        *h = (struct history){
            .key = key, .count = count,
            .kept = malloc(KEPT * count * sizeof *h->kept)};
        if (!h->kept)
            abort();
    }
    return h;
}

static uint64_t *kept_choice(const struct history *h, size_t i)
{
    return h->kept + i % KEPT * h->count;
}

/* The place of a difference is told as well as its bytes. */
static size_t difference_bytes(uint64_t word, uint64_t expected)
{
    const uint64_t up = word - expected, down = expected - word;
    size_t n = up ? 1 : 0;

    for (uint64_t left = up < down ? up : down; left; left >>= 8)
        n++;
    return n < sizeof word ? n : sizeof word;
}

static size_t all_bytes(const uint64_t *words, size_t count)
{
    size_t bytes = 0;

    for (size_t i = 0; i < count; i++)
        bytes += difference_bytes(words[i], 0);
    return bytes;
}

/* Guesses 0, 2, 4...: as it was 1, 2, 3... choices ago; 1, 3, 5...: with the
 * step to there.  Another guess than the last time is told, too.
 * @return `most` where it is no less, or the past does not go back so far */
static size_t guess_bytes(const struct history *h, const uint64_t *words,
                          unsigned guess, size_t most)
{
    const size_t period = guess / 2 + 1;
    const bool steps = guess % 2;
    const uint64_t *last, *before;
    size_t bytes = guess != h->guess;

    if (h->made < (steps ? 2 * period : period))
        return most;
    last = kept_choice(h, h->made - period);
    before = steps ? kept_choice(h, h->made - 2 * period) : last;
    for (size_t i = 0; i < h->count && bytes < most; i++)
        bytes += difference_bytes(words[i], last[i] + (last[i] - before[i]));
    return bytes < most ? bytes : most;
}

static size_t best_guess(struct history *h, const uint64_t *words)
{
    size_t best = guess_bytes(h, words, h->guess, SIZE_MAX);
    const unsigned last = h->guess;
    unsigned found = last;

    for (unsigned guess = 0; best && guess < GUESSES; guess++) {
        const size_t bytes =
            guess == last ? best : guess_bytes(h, words, guess, best);

        if (bytes < best)
            found = guess;
        best = bytes;
    }
    h->guess = found;
    return best;
}

size_t choice_bytes(const void *key, const uint64_t *words, size_t count,
                    bool first_is_free)
{
    struct history *h = find_history(key, count);
    size_t bytes;

    if (!h)
        return all_bytes(words, count);
    if (h->made)
        bytes = best_guess(h, words);
    else
        bytes = first_is_free ? 0 : all_bytes(words, count);
    memcpy(kept_choice(h, h->made++), words, count * sizeof *words);
    return bytes;
}
