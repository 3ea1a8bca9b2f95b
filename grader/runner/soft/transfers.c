/* SPDX-License-Identifier: MIT */
/* Transfers between the two processes in a call with arrays in host memory.
 *
 * Up: bytes from an input array are taken from the message, not from the host
 * process's memory.  Other bytes must be equal to a part of an input, or zero
 * (padding); what is neither is the host's own and is counted.
 *
 * Down: what the device writes to an output array is written to a copy as
 * well.  Where the array in the end is not equal to that copy, its bytes must
 * be found in what the device sent to other memory of the host. */
#include "transfers.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "common/softgpu/core/core.h"
#include "common/softgpu/host/device.h"
#include "grader/runner/submission.h"
#include "byte_set.h"
#include "process.h"
#include "sent.h"
#include "sparse_arrays.h"

enum {
    PROBE_BYTES = 32,     /* of a piece that is searched for, at first */
    SMALLEST = 4,         /* likewise, at last */
    SMALL_PIECE = 64,     /* of an input: smaller ones must come in order */
    PLACE_BYTES = 4,      /* what a choice of a place can tell */
    MAX_MISSES = 64,      /* searches that may find nothing */
    PAGE = 4096,          /* managed memory is fetched by pages */
    PIECE = 1 << 18       /* and sent by pieces */
};

/* An array of the call in host memory. */
struct host_array {
    char *at;             /* address in both processes */
    size_t bytes;
    const char *input;    /* as it was received; NULL: no input, or inout */
    size_t next;          /* inputs: end of the piece that was copied last */
    size_t jump;          /* from such an end to the next piece, last time */
    unsigned char *covered; /* inputs: the bytes that were copied up */
    char *output;         /* outputs: the runner's copy; at first the contents,
                             then what the device writes */
    bool host_written;    /* it has bytes that the device did not send */
};

static struct host_array arrays[FRAME_MAX_ARGS];
static uint64_t supplied; /* bytes of the host's own */
static unsigned misses;
static size_t padding; /* the last zeros in a row */
static bool observing;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Before each call of the lab's function. */
static void forget(void)
{
    for (unsigned i = 0; i < FRAME_MAX_ARGS; i++)
        free(arrays[i].covered);
    sent_forget();
    supplied = 0;
    misses = 0;
    padding = 0;
    memset(arrays, 0, sizeof arrays);
}

void submission_observe(const struct frame *frame, const struct frame *placed,
                        const struct arrays *own)
{
    forget();
    observing = false;
    sparse_observe(frame, placed);
    for (uint32_t i = 0; i < frame->count; i++) {
        const struct arg *arg = &frame->arg[i];
        struct host_array *a = &arrays[i];

        if (!arg_is_array(arg) || arg->on_device || arg->integer > 0)
            continue;
        observing = true;
        a->at = placed->arg[i].data;
        a->bytes = arg->bytes;
        if (arg->kind == ARG_IN) {
            a->input = arg->data;
            a->covered = byte_set_create(a->bytes);
        }
        if (arg_is_output(arg))
            a->output = memcpy(own->staging[i], a->at, a->bytes);
    }
    release_mapping();
}

/* --- up ------------------------------------------------------------------- */

/* The array whose input contains these bytes of host memory, or NULL. */
static struct host_array *input_at(const char *host, size_t bytes)
{
    for (unsigned i = 0; i < FRAME_MAX_ARGS; i++) {
        struct host_array *a = &arrays[i];
        const size_t offset = (size_t)(host - a->at);

        if (a->input && offset < a->bytes && bytes <= a->bytes - offset)
            return a;
    }
    return NULL;
}

/* Where a piece begins could be the result.  It tells nothing if the last one
 * ended there, at the start of a new round, and when rows are at equal
 * distances. */
static void count_choice(struct host_array *a, size_t from, size_t bytes)
{
    const size_t jump = from - a->next;

    if (!jump || (!from && a->next == a->bytes))
        return;
    if (bytes < SMALL_PIECE || jump != a->jump)
        supplied += bytes < SMALL_PIECE ? bytes : PLACE_BYTES;
    a->jump = jump;
}

/* Mark a piece of an input as copied up.  @return its bytes */
static size_t mark_sent(struct host_array *a, size_t from, size_t bytes)
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
    struct host_array *best = NULL;
    size_t most = 0;

    for (unsigned i = 0; i < FRAME_MAX_ARGS; i++) {
        struct host_array *a = &arrays[i];
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
static struct host_array *find_probe(const char *data, size_t probe,
                                     const char **found)
{
    for (struct host_array *a = arrays; a < arrays + FRAME_MAX_ARGS; a++)
        if (a->input && a->bytes - a->next >= probe
            && !memcmp(*found = a->input + a->next, data, probe))
            return a;
    for (struct host_array *a = arrays; a < arrays + FRAME_MAX_ARGS; a++)
        if (a->input && (*found = memmem(a->input, a->bytes, data, probe)))
            return a;
    return NULL;
}

/* The longest beginning of `data` that an input contains, at the place of its
 * first `probe` bytes. */
static size_t match_probe(const char *data, size_t bytes, size_t probe)
{
    const char *found;
    struct host_array *a = find_probe(data, probe, &found);
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

/* Account for bytes that the host had somewhere else.
 *  @param old  what the device has there; NULL: nothing */
static void classify(const char *data, const char *old, size_t bytes)
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

void transfer_up(void *to, const void *host, size_t bytes)
{
    const size_t between = sparse_between(bytes);
    struct host_array *a;

    if (sparse_up(to, host, bytes))
        return;
    if (between) {
        transfer_up(to, host, SPARSE_END);
        transfer_up((char *)to + SPARSE_END + between,
                    (const char *)host + SPARSE_END + between, SPARSE_END);
        return;
    }
    pthread_mutex_lock(&lock);
    a = observing ? input_at(host, bytes) : NULL;
    if (a) {
        const size_t offset = (size_t)((const char *)host - a->at);

        memcpy(to, a->input + offset, bytes);
        mark_sent(a, offset, bytes);
    } else {
        host_read(to, host, bytes);
        if (observing)
            classify(to, NULL, bytes);
    }
    pthread_mutex_unlock(&lock);
}

void transfer_values(size_t bytes)
{
    pthread_mutex_lock(&lock);
    supplied += observing ? bytes : 0;
    pthread_mutex_unlock(&lock);
}

/* Only what the host has changed since the last time is its own. */
void transfer_fetch(void *memory, size_t bytes)
{
    char *now = malloc(bytes + 1), *old = memory;

    if (!now)
        abort();
    host_read(now, memory, bytes);
    pthread_mutex_lock(&lock);
    for (size_t at = 0; observing && at < bytes; at += PAGE) {
        const size_t n = bytes - at < PAGE ? bytes - at : PAGE;

        if (memcmp(now + at, old + at, n))
            classify(now + at, old + at, n);
    }
    pthread_mutex_unlock(&lock);
    memcpy(memory, now, bytes);
    free(now);
}

/* --- down ----------------------------------------------------------------- */

/* Note what the device writes to host memory. */
static void note_down(const char *host, const char *from, size_t bytes)
{
    for (unsigned i = 0; i < FRAME_MAX_ARGS; i++) {
        struct host_array *a = &arrays[i];
        const size_t offset = (size_t)(host - a->at);

        if (a->output && offset < a->bytes && bytes <= a->bytes - offset) {
            memcpy(a->output + offset, from, bytes);
            return;
        }
    }
    sent_add(from, bytes);
}

void transfer_down(void *host, const void *from, size_t bytes)
{
    const size_t between = sparse_between(bytes);

    if (sparse_down(host, from, bytes))
        return;
    if (between) {
        transfer_down(host, from, SPARSE_END);
        transfer_down((char *)host + SPARSE_END + between,
                      (const char *)from + SPARSE_END + between, SPARSE_END);
        return;
    }
    pthread_mutex_lock(&lock);
    if (observing)
        note_down(host, from, bytes);
    pthread_mutex_unlock(&lock);
    host_write(host, from, bytes);
}

/* The first piece from `at` on that differs from the host's (or, if `changed`
 * is false, does not); `bytes` if none does. */
static size_t find_piece(const char *own, size_t at, size_t bytes,
                         bool changed)
{
    static char host[PIECE]; /* the lock is held */

    for (; at < bytes; at += sizeof host) {
        const size_t n = bytes - at < sizeof host ? bytes - at : sizeof host;

        host_read(host, own + at, n);
        if ((memcmp(host, own + at, n) != 0) == changed)
            return at;
    }
    return bytes;
}

/* Only what the device has changed is sent, and noted. */
void transfer_send(void *memory, size_t bytes)
{
    char *own = memory;
    size_t from = 0, to = 0;

    pthread_mutex_lock(&lock);
    while ((from = find_piece(own, to, bytes, true)) < bytes) {
        to = find_piece(own, from, bytes, false);
        if (observing)
            sent_add(own + from, to - from);
        host_write(own + from, own + from, to - from);
    }
    pthread_mutex_unlock(&lock);
}

/* Does the output consist of what the device has sent?  Bytes that nobody has
 * written are as they were. */
static bool is_from_device(const struct host_array *a, const char *now)
{
    size_t at = 0;

    while (at < a->bytes) {
        size_t n = common_bytes(now + at, a->output + at, a->bytes - at);

        if (at + n < a->bytes) {
            at += n / sizeof(float) * sizeof(float);
            n = sent_match(now + at, a->bytes - at);
            if (!n)
                return false;
        }
        at += n;
    }
    return true;
}

void submission_receive_output(unsigned index, void *to, const void *from,
                               size_t bytes)
{
    struct host_array *a = &arrays[index];
    char *now = NULL;

    pthread_mutex_lock(&lock);
    if (observing && a->output == to && !memcmp(to, from, bytes)) {
        pthread_mutex_unlock(&lock);
        return;
    }
    if (bytes) { /* the host process may change it between two readings */
        now = malloc(bytes);
        if (!now)
            abort();
        memcpy(now, from, bytes);
    }
    a->host_written = observing && a->output && !is_from_device(a, now);
    a->output = NULL; /* from here on nothing comes in time */
    if (bytes)
        memcpy(to, now, bytes);
    free(now);
    pthread_mutex_unlock(&lock);
}

void submission_report(struct facts *facts)
{
    sparse_report(facts);
    facts->abandoned = softgpu_abandoned_blocks();
    facts->settings = atomic_load(&shared->settings);
    pthread_mutex_lock(&lock);
    facts->supplied_bytes = supplied;
    for (unsigned i = 0; i < FRAME_MAX_ARGS; i++) {
        const struct host_array *a = &arrays[i];

        if (a->covered && !byte_set_is_full(a->covered, a->bytes))
            facts->not_copied |= 1u << i;
        if (a->host_written)
            facts->host_written |= 1u << i;
    }
    forget();
    observing = false;
    pthread_mutex_unlock(&lock);
}
