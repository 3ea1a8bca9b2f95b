/* SPDX-License-Identifier: MIT */
/* Where bytes that are copied up come from.  Inputs are searched for them from
 * the place on where the last piece ended; what no input contains and is not
 * zero (padding) is the host's own. */
#include "inputs.h"

#include <stdlib.h>
#include <string.h>

#include "grader/channel/frame.h"
#include "byte_set.h"
#include "sent.h"

enum {
    PROBE_BYTES = 32,     /* of a piece that is searched for, at first */
    SMALLEST = 4,         /* likewise, at last */
    SMALL_PIECE = 64,     /* of an input: smaller ones must come in order */
    PLACE_BYTES = 4,      /* what a choice of a place can tell */
    MAX_MISSES = 64       /* searches that may find nothing */
};

/* An input array in host memory. */
struct input {
    const char *at;    /* address in both processes */
    size_t bytes;
    const char *input; /* as it was received; NULL: it is none, or inout */
    size_t next;       /* end of the piece that was copied last */
    size_t jump;       /* from such an end to the next piece, last time */
    unsigned char *covered; /* the bytes that were copied up */
};

static struct input arrays[FRAME_MAX_ARGS];
static uint64_t supplied; /* bytes of the host's own */
static unsigned misses;
static size_t padding; /* the last zeros in a row */

void inputs_forget(void)
{
    for (unsigned i = 0; i < FRAME_MAX_ARGS; i++)
        free(arrays[i].covered);
    supplied = 0;
    misses = 0;
    padding = 0;
    memset(arrays, 0, sizeof arrays);
}

void inputs_add(unsigned index, const void *at, const void *received,
                size_t bytes)
{
    arrays[index] = (struct input){.at = at, .bytes = bytes, .input = received,
                                   .covered = byte_set_create(bytes)};
}

static struct input *input_at(const char *host, size_t bytes)
{
    for (unsigned i = 0; i < FRAME_MAX_ARGS; i++) {
        struct input *a = &arrays[i];
        const size_t offset = (size_t)(host - a->at);

        if (a->input && offset < a->bytes && bytes <= a->bytes - offset)
            return a;
    }
    return NULL;
}

/* Where a piece begins could be the result.  It tells nothing if the last one
 * ended there, at the start of a new round, and when rows are at equal
 * distances. */
static void count_choice(struct input *a, size_t from, size_t bytes)
{
    const size_t jump = from - a->next;

    if (!jump || (!from && a->next == a->bytes))
        return;
    if (bytes < SMALL_PIECE || jump != a->jump)
        supplied += bytes < SMALL_PIECE ? bytes : PLACE_BYTES;
    a->jump = jump;
}

/* Mark a piece of an input as copied up.  @return its bytes */
static size_t mark_sent(struct input *a, size_t from, size_t bytes)
{
    count_choice(a, from, bytes);
    byte_set_add(a->covered, from, bytes);
    a->next = from + bytes;
    return bytes;
}

/* The longest beginning of `data` with which an input goes on where its last
 * piece ended; values may occur several times in an input. */
static size_t match_next(const char *data, size_t bytes)
{
    struct input *best = NULL;
    size_t most = 0;

    for (unsigned i = 0; i < FRAME_MAX_ARGS; i++) {
        struct input *a = &arrays[i];
        const size_t left = a->input ? a->bytes - a->next : 0;
        const size_t n = left ? common_bytes(data, a->input + a->next,
                                             left < bytes ? left : bytes) : 0;

        if (n > most) {
            best = a;
            most = n;
        }
    }
    if (most < bytes && most < PROBE_BYTES && (!best || most < best->bytes))
        return 0; /* perhaps by accident */
    return best ? mark_sent(best, best->next, most) : 0;
}

/* The input that goes on with these bytes where its last piece ended, or else
 * the first that contains them; NULL if none does.  The inputs may contain the
 * same bytes: the end of one may be in the midst of another. */
static struct input *find_probe(const char *data, size_t probe,
                                     const char **found)
{
    for (struct input *a = arrays; a < arrays + FRAME_MAX_ARGS; a++)
        if (a->input && a->bytes - a->next >= probe
            && !memcmp(*found = a->input + a->next, data, probe))
            return a;
    for (struct input *a = arrays; a < arrays + FRAME_MAX_ARGS; a++)
        if (a->input && (*found = memmem(a->input, a->bytes, data, probe)))
            return a;
    return NULL;
}

/* The longest beginning of `data` that an input contains, at the place of its
 * first `probe` bytes. */
static size_t match_probe(const char *data, size_t bytes, size_t probe)
{
    const char *found;
    struct input *a = find_probe(data, probe, &found);
    size_t n;

    if (!a)
        return 0;
    n = (size_t)(a->input + a->bytes - found);
    n = common_bytes(data, found, n < bytes ? n : bytes);
    return mark_sent(a, (size_t)(found - a->input), n);
}

/* The end of an input, or of a page, may follow soon. */
static size_t match_input(const char *data, size_t bytes)
{
    size_t n = 0;

    for (size_t probe = PROBE_BYTES; !n && probe >= SMALLEST; probe /= 2)
        if (probe <= bytes)
            n = match_probe(data, bytes, probe);
    return n || bytes >= SMALLEST ? n : match_probe(data, bytes, bytes);
}

/* Bytes from the first on that are as they were.  It may be an accident of
 * less than a float. */
static size_t match_old(const char *data, const char *old, size_t bytes)
{
    const size_t n = old ? common_bytes(data, old, bytes) : 0;

    return n < sizeof(float) && n < bytes ? 0 : n;
}

void inputs_classify(const char *data, const char *old, size_t bytes)
{
    size_t at = 0;

    while (at < bytes && misses < MAX_MISSES) {
        size_t n = match_next(data + at, bytes - at), zeros = 0;

        if (!n)
            n = match_old(data + at, old ? old + at : NULL, bytes - at);
        if (!n)
            n = match_input(data + at, bytes - at);
        while (at + zeros < bytes && !data[at + zeros])
            zeros++;
        if (!n && zeros >= sizeof(float)) {
            supplied += zeros == padding ? 0 : PLACE_BYTES;
            n = padding = zeros;
        }
        if (!n) {
            n = bytes - at < PROBE_BYTES ? bytes - at : PROBE_BYTES;
            supplied += n;
            misses++;
        }
        at += n;
    }
    supplied += bytes - at;
}

const void *inputs_take(const void *host, size_t bytes)
{
    struct input *a = input_at(host, bytes);
    const size_t offset = a ? (size_t)((const char *)host - a->at) : 0;

    if (!a)
        return NULL;
    mark_sent(a, offset, bytes);
    return a->input + offset;
}

void inputs_count_own(size_t bytes)
{
    supplied += bytes;
}

uint64_t inputs_own_bytes(void)
{
    return supplied;
}

uint32_t inputs_not_copied(void)
{
    uint32_t found = 0;

    for (unsigned i = 0; i < FRAME_MAX_ARGS; i++)
        if (arrays[i].covered
            && !byte_set_is_full(arrays[i].covered, arrays[i].bytes))
            found |= 1u << i;
    return found;
}
