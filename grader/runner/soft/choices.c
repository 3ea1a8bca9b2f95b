/* SPDX-License-Identifier: MIT */
/* What the host's choices tell the device.
 *
 * A loop over streams, buffers and pieces repeats its choices, each with a
 * constant step: the words of a choice are compared with those some choices
 * before, and with those plus the last step between two such.  A call of the
 * lab may repeat the last one: they are compared with those at the same place
 * there, too.  What differs is counted by its size; what is at another place
 * there, as that of a thread that was faster this time, by its distance. */
#include "choices.h"

#include <stdlib.h>
#include <string.h>

enum {
    PERIODS = 16,        /* choices after which a loop may repeat itself */
    KEPT = 2 * PERIODS,  /* so that a step is known for each */
    AGAIN = 2 * PERIODS, /* the guess that the last call is repeated */
    GUESSES = AGAIN + 1,
    MAX_KEYS = 1024,
    MAX_LOG = 4096,      /* choices of a call that the next one may repeat */
    MAX_DATA = 1 << 16,  /* bytes, likewise */
    SMALLEST = 2         /* bytes that another place tells */
};

/* The choices of a call of the lab. */
struct log {
    uint64_t *words;
    size_t made, room;
};

/* The choices under one key. */
struct history {
    const void *key;
    size_t count;     /* words of a choice */
    size_t made;      /* choices */
    unsigned guess;   /* which was the best the last time */
    uint64_t *kept;   /* the last choices: number i at i % KEPT */
    struct log now, last; /* of this call, and of the one before */
};

static struct history histories[MAX_KEYS];
static unsigned keys;

/* Data of a call that are no input's. */
static struct data {
    size_t bytes;
    char byte[MAX_DATA];
} data_now, data_last;

static void free_history(struct history *h)
{
    free(h->kept);
    free(h->now.words);
    free(h->last.words);
}

void choices_forget(void)
{
    while (keys)
        free_history(&histories[--keys]);
    data_now.bytes = data_last.bytes = 0;
}

void choices_next_call(void)
{
    memcpy(data_last.byte, data_now.byte, data_now.bytes);
    data_last.bytes = data_now.bytes;
    data_now.bytes = 0;
    for (unsigned i = keys; i-- > 0;) {
        struct history *h = &histories[i];
        const struct log empty = {.words = h->last.words,
                                  .room = h->last.room};

        if (h->made == 0) { /* nor would the next call repeat it */
            free_history(h);
            *h = histories[--keys];
            continue;
        }
        h->last = h->now;
        h->now = empty;
        h->made = 0;
        h->guess = AGAIN;
    }
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

/* Has no call of this function been made, here or in the last call of the lab?
 * One with other numbers of words, as of attributes, is none of its own. */
static bool is_new_key(const void *key)
{
    for (unsigned i = 0; i < keys; i++)
        if (histories[i].key == key
            && (histories[i].made || histories[i].last.made))
            return false;
    return true;
}

static uint64_t *kept_choice(const struct history *h, size_t i)
{
    return h->kept + i % KEPT * h->count;
}

static void log_choice(struct history *h, const uint64_t *words)
{
    struct log *log = &h->now;

    if (log->made == MAX_LOG)
        return;
    if (log->made == log->room) {
        log->room = log->room ? 2 * log->room : 1;
        log->words = realloc(log->words,
                             log->room * h->count * sizeof *words);
        if (!log->words)
            abort();
    }
    memcpy(log->words + log->made++ * h->count, words,
           h->count * sizeof *words);
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

/* What a guess goes back to; its step is the difference of the two. */
struct basis {
    const uint64_t *last, *before;
};

/* Guesses 0, 2, 4...: as it was 1, 2, 3... choices ago; 1, 3, 5...: with the
 * step to there.  @return without places: the past does not go back so far */
static struct basis find_basis(const struct history *h, unsigned guess)
{
    const size_t period = guess / 2 + 1;
    const bool steps = guess % 2;
    struct basis b = {NULL, NULL};

    if (guess == AGAIN && h->made < h->last.made)
        b.last = b.before = h->last.words + h->made * h->count;
    else if (guess < AGAIN && h->made >= (steps ? 2 * period : period)) {
        b.last = kept_choice(h, h->made - period);
        b.before = steps ? kept_choice(h, h->made - 2 * period) : b.last;
    }
    return b;
}

/* Another guess than the last time is told, too.
 * @return `most` where it is no less, or there is nothing to go back to */
static size_t guess_bytes(const struct history *h, const uint64_t *words,
                          unsigned guess, size_t most)
{
    const struct basis b = find_basis(h, guess);
    size_t bytes = guess != h->guess;

    for (size_t i = 0; b.last && i < h->count && bytes < most; i++)
        bytes += difference_bytes(words[i],
                                  b.last[i] + (b.last[i] - b.before[i]));
    return b.last && bytes < most ? bytes : most;
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

/* The distance of the same choice in the last call.
 * @return `most` where it is no less, or there is none */
static size_t moved_bytes(const struct history *h, const uint64_t *words,
                          size_t most)
{
    const size_t size = h->count * sizeof *words;

    for (size_t i = 0; i < h->last.made && most > SMALLEST; i++) {
        const size_t bytes = difference_bytes(i, h->made);

        if (bytes < most && !memcmp(h->last.words + i * h->count, words, size))
            most = bytes;
    }
    return most;
}

size_t choice_bytes(const void *key, const uint64_t *words, size_t count,
                    bool first_is_free)
{
    const bool is_free = first_is_free && is_new_key(key);
    struct history *h = find_history(key, count);
    size_t bytes;

    if (!h)
        return all_bytes(words, count);
    if (h->made)
        bytes = best_guess(h, words);
    else
        bytes = guess_bytes(h, words, AGAIN,
                            is_free ? 0 : all_bytes(words, count));
    bytes = moved_bytes(h, words, bytes);
    log_choice(h, words);
    memcpy(kept_choice(h, h->made++), words, count * sizeof *words);
    return bytes;
}

size_t choice_data_bytes(const void *data, size_t bytes)
{
    const size_t at = data_now.bytes;
    const size_t room = bytes < MAX_DATA - at ? bytes : MAX_DATA - at;
    size_t told = bytes, moved;
    const char *found;

    for (size_t i = 0; i < room && at + i < data_last.bytes; i++)
        told -= data_last.byte[at + i] == ((const char *)data)[i];
    found = told > SMALLEST && room == bytes
                ? memmem(data_last.byte, data_last.bytes, data, bytes) : NULL;
    if (found) {
        moved = difference_bytes((uint64_t)(found - data_last.byte), at);
        told = moved < told ? moved : told;
    }
    memcpy(data_now.byte + at, data, room);
    data_now.bytes += room;
    return told;
}
