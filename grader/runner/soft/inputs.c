/* SPDX-License-Identifier: MIT */
/* Where bytes that are copied up come from.  Inputs are searched for them from
 * the place on where the last piece ended; what no input contains and is not
 * zero (padding) is the host's own. */
#include "inputs.h"

#include <stdlib.h>
#include <string.h>

#include "grader/channel/frame.h"
#include "byte_set.h"
#include "choices.h"
#include "sent.h"

enum {
    PROBE_BYTES = 32,     /* of a piece that is searched for, at first */
    SMALLEST = 4,         /* likewise, at last */
    SMALL_PIECE = 64,     /* of an input: smaller ones must come in order */
    PLACE_BYTES = 4,      /* what a choice of a place can tell */
    MAX_TRIES = 64,       /* floats that may equal others */
    MAX_MISSES = 64       /* searches of large inputs that find nothing */
};
#define MAX_SEARCHED ((uint64_t)32 << 20) /* bytes of inputs, likewise */

/* An input array in host memory. */
struct input {
    const char *at;    /* address in both processes, or NULL */
    size_t bytes;
    const char *input; /* as it was received; NULL: it is none, or inout */
    size_t next;       /* end of the piece that was copied last */
    size_t jump;       /* from such an end to the next piece, last time */
    size_t missing;    /* all bytes before this one were copied up */
    unsigned char *covered; /* the bytes that were copied up */
};

static struct input arrays[FRAME_MAX_ARGS];
static uint64_t supplied; /* bytes of the host's own */
static uint64_t input_bytes; /* of all inputs */
static uint64_t searched;    /* bytes of them that were searched in vain */
static unsigned misses;      /* searches in vain */
static uintptr_t gap_end; /* of the last bytes that were zero or unchanged */
static const struct input *current; /* of the last piece in other memory */
static size_t run;     /* bytes of it in a row */

void inputs_forget(void)
{
    for (unsigned i = 0; i < FRAME_MAX_ARGS; i++)
        free(arrays[i].covered);
    supplied = 0;
    input_bytes = searched = 0;
    misses = 0;
    gap_end = run = 0;
    current = NULL;
    memset(arrays, 0, sizeof arrays);
}

void inputs_add(unsigned index, const void *at, const void *received,
                size_t bytes)
{
    arrays[index] = (struct input){.at = at, .bytes = bytes, .input = received,
                                   .covered = byte_set_create(bytes)};
    input_bytes += bytes;
}

static struct input *input_at(const char *host, size_t bytes)
{
    for (unsigned i = 0; i < FRAME_MAX_ARGS; i++) {
        struct input *a = &arrays[i];
        const size_t offset = (size_t)(host - a->at);

        if (a->at && a->input && offset < a->bytes && bytes <= a->bytes - offset)
            return a;
    }
    return NULL;
}

/* How many bytes of an input come before those of another could be the result.
 * It tells nothing where it repeats itself. */
static void count_input(const struct input *a, size_t bytes)
{
    const uint64_t words[2] = {(uint64_t)(a - arrays), run};

    if (a != current && current)
        supplied += choice_bytes(arrays, words, 2, true);
    run = (a == current ? run : 0) + bytes;
    current = a;
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

/* Mark a piece of an input as copied up. */
static void mark_sent(struct input *a, size_t from, size_t bytes)
{
    byte_set_add(a->covered, from, bytes);
    a->next = from + bytes;
}

/* The same for a piece in memory of the host's own.  @return its bytes */
static size_t mark_found(struct input *a, size_t from, size_t bytes)
{
    count_input(a, bytes);
    count_choice(a, from, bytes);
    mark_sent(a, from, bytes);
    return bytes;
}

/* So many bytes an input has in common with `data` where its last piece
 * ended. */
static size_t next_bytes(const struct input *a, const char *data, size_t bytes)
{
    const size_t left = a->input ? a->bytes - a->next : 0;

    return left ? common_bytes(data, a->input + a->next,
                               left < bytes ? left : bytes) : 0;
}

/* The longest beginning of `data` with which an input goes on where its last
 * piece ended; values may occur several times in an input. */
static size_t match_next(const char *data, size_t bytes)
{
    struct input *best = NULL;
    size_t most = 0;

    for (unsigned i = 0; i < FRAME_MAX_ARGS; i++) {
        const size_t n = next_bytes(&arrays[i], data, bytes);

        if (n > most) {
            best = &arrays[i];
            most = n;
        }
    }
    if (most < bytes && most < PROBE_BYTES && (!best || most < best->bytes))
        return 0; /* perhaps by accident */
    return best ? mark_found(best, best->next, most) : 0;
}

/* The same for floats of several inputs in turns (pairs): so few bytes are no
 * accident where another input goes on after them. */
static size_t match_woven(const char *data, size_t bytes)
{
    for (struct input *a = arrays; a < arrays + FRAME_MAX_ARGS; a++) {
        const size_t n = next_bytes(a, data, bytes) / SMALLEST * SMALLEST;

        for (struct input *b = arrays; n && b < arrays + FRAME_MAX_ARGS; b++)
            if (b != a && next_bytes(b, data + n, bytes - n) >= SMALLEST)
                return mark_found(a, a->next, n);
    }
    return 0;
}

/* All bytes before the result were copied up. */
static size_t missing_from(struct input *a)
{
    return a->missing = byte_set_missing(a->covered, a->missing, a->bytes);
}

/* The input that has these bytes, and where.  Values may repeat themselves, and
 * pieces come out of order: if possible soon after what was copied up. */
static struct input *find_probe(const char *data, size_t probe,
                                const char **found)
{
    struct input *best = NULL;
    size_t least = SIZE_MAX;

    for (struct input *a = arrays; a < arrays + FRAME_MAX_ARGS; a++) {
        const char *first = a->input ? a->input + missing_from(a) : NULL;
        const char *at = first ? memmem(first, a->bytes - a->missing, data,
                                        probe) : NULL;

        if (at && (size_t)(at - first) < least) {
            best = a;
            *found = at;
            least = (size_t)(at - first);
        }
    }
    for (struct input *a = arrays; !best && a < arrays + FRAME_MAX_ARGS; a++)
        if (a->input && (*found = memmem(a->input, a->bytes, data, probe)))
            return a;
    return best;
}

/* The last piece may have ended too late, as the next one begins like what
 * follows in its input: bytes before `data` that belong to this piece.
 * @param before  so many there are */
static size_t bytes_back(const struct input *a, size_t from, const char *data,
                         size_t before)
{
    const size_t gap = from - a->next;

    return from > a->next && gap <= before && gap < PROBE_BYTES
           && !memcmp(data - gap, a->input + a->next, gap) ? gap : 0;
}

/* The longest beginning of `data` that an input contains, at the place of its
 * first `probe` bytes. */
static size_t match_probe(const char *data, size_t before, size_t bytes,
                          size_t probe)
{
    const char *found;
    struct input *a = find_probe(data, probe, &found);
    size_t from, n, back;

    if (!a)
        return 0;
    from = (size_t)(found - a->input);
    n = common_bytes(data, found,
                     a->bytes - from < bytes ? a->bytes - from : bytes);
    back = bytes_back(a, from, data, before);
    mark_found(a, from - back, n + back);
    return n;
}

/* The zeros that `data` begins with, unless they are less than a float. */
static size_t match_zeros(const char *data, size_t bytes)
{
    size_t n = 0;

    while (n < bytes && !data[n])
        n++;
    return n < sizeof(float) ? 0 : n;
}

/* The end of an input, or of a page, may follow soon.  Many zeros are padding
 * rather than a few bytes of an input, each. */
static size_t match_input(const char *data, size_t before, size_t bytes)
{
    size_t n = match_woven(data, bytes);

    for (size_t probe = PROBE_BYTES; !n && probe >= SMALLEST; probe /= 2)
        if (probe < PROBE_BYTES && match_zeros(data, bytes) >= PROBE_BYTES)
            return 0;
        else if (probe <= bytes)
            n = match_probe(data, before, bytes, probe);
    return n || bytes >= SMALLEST ? n : match_probe(data, before, bytes,
                                                    bytes);
}

/* Bytes from the first on that are as they were.  It may be an accident of
 * less than a float. */
static size_t match_old(const char *data, const char *old, size_t bytes)
{
    const size_t n = old ? common_bytes(data, old, bytes) : 0;

    return n < sizeof(float) && n < bytes ? 0 : n;
}

/* Where bytes on the device are zero or left as they were, and how many, could
 * be the result.  It tells nothing where it repeats itself, as in rows with
 * padding.  @return `bytes` */
static size_t mark_gap(const char *to, size_t bytes, bool is_zero)
{
    const uint64_t words[3] = {is_zero, (uintptr_t)to - gap_end, bytes};
    const size_t told = bytes ? choice_bytes(&gap_end, words, 3, false) : 0;

    if (bytes)
        gap_end = (uintptr_t)to + bytes;
    supplied += told < PLACE_BYTES ? told : PLACE_BYTES;
    return bytes;
}

/* Searches cost time; inputs that are copied in order need none. */
static size_t search_input(const char *data, size_t before, size_t bytes)
{
    size_t n = 0;

    if (misses < MAX_MISSES || searched < MAX_SEARCHED)
        n = match_input(data, before, bytes);
    if (!n) {
        misses++;
        searched += input_bytes;
    }
    return n;
}

static void classify(const char *to, const char *data, const char *old,
                     size_t bytes)
{
    size_t at = 0;

    while (at < bytes) {
        const size_t left = bytes - at;
        size_t n = match_next(data + at, left);

        if (!n)
            n = mark_gap(to + at, match_old(data + at, old ? old + at : NULL,
                                            left), false);
        if (!n)
            n = search_input(data + at, at, left);
        if (!n)
            n = mark_gap(to + at, match_zeros(data + at, left), true);
        if (!n) {
            n = bytes - at < PROBE_BYTES ? bytes - at : PROBE_BYTES;
            supplied += choice_data_bytes(data + at, n);
        }
        at += n;
    }
}

/* A variable that is set before each launch tells what is not to be expected
 * after its last values. */
void inputs_classify(const void *to, const char *data, const char *old,
                     size_t bytes)
{
    const uint64_t before = supplied;
    uint64_t words[SMALL_PIECE / sizeof(uint64_t)] = {0}, told;

    classify(to, data, old, bytes);
    if (supplied == before || bytes > sizeof words)
        return;
    memcpy(words, data, bytes);
    told = choice_bytes(to, words, (bytes + 7) / 8, false);
    if (told < supplied - before)
        supplied = before + told;
}

const void *inputs_take(const void *host, size_t bytes)
{
    struct input *a = input_at(host, bytes);
    const size_t offset = a ? (size_t)((const char *)host - a->at) : 0;

    if (!a)
        return NULL;
    mark_sent(a, offset, bytes); /* its place is counted with the call */
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

/* Were these bytes copied up from another place of the inputs?  Of equal values
 * it cannot be told which was copied. */
static bool is_elsewhere(const char *data, size_t bytes)
{
    for (struct input *a = arrays; a < arrays + FRAME_MAX_ARGS; a++)
        for (size_t at = 0; a->input && at + bytes <= a->bytes; at += bytes)
            if (!memcmp(a->input + at, data, bytes)
                && byte_set_has(a->covered, at, bytes))
                return true;
    return false;
}

/* Was each byte copied up, or else an equal float? */
static bool is_copied(struct input *a)
{
    unsigned tries = 0;

    if (byte_set_is_full(a->covered, a->bytes))
        return true;
    for (size_t at = missing_from(a); at < a->bytes; at += sizeof(float)) {
        const size_t left = a->bytes - at;
        const size_t n = left < sizeof(float) ? left : sizeof(float);

        if (!byte_set_has(a->covered, at, n)
            && (n < sizeof(float) || tries++ == MAX_TRIES
                || !is_elsewhere(a->input + at, n)))
            return false;
    }
    return true;
}

uint32_t inputs_not_copied(void)
{
    uint32_t found = 0;

    for (unsigned i = 0; i < FRAME_MAX_ARGS; i++)
        if (arrays[i].covered && !is_copied(&arrays[i]))
            found |= 1u << i;
    return found;
}
