/* SPDX-License-Identifier: MIT */
/* Transfers between the two processes in a call with arrays in host memory.
 *
 * Up: bytes from an input array are taken from the message, not from the host
 * process's memory; others are counted (inputs.c).
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
#include "call_choices.h"
#include "calls_gate.h"
#include "choices.h"
#include "inputs.h"
#include "overread.h"
#include "process.h"
#include "sent.h"
#include "sparse_arrays.h"

enum {
    PAGE = 4096,          /* managed memory is fetched by pages */
    PIECE = 1 << 18,      /* and sent by pieces */
    FEW_RESULTS = 16      /* of a call: they are not counted */
};

/* An array of the call in host memory. */
struct host_array {
    char *at;          /* address in both processes */
    size_t bytes;
    char *output;      /* outputs: the runner's copy; at first the contents,
                          then what the device writes */
    bool host_written; /* it has bytes that the device did not send */
};

static struct host_array arrays[FRAME_MAX_ARGS];
static bool observing;
static uint64_t down_bytes; /* copied to the host, by whatever function */
static bool has_output;     /* in host memory */
static unsigned results;    /* scalars that libraries returned there */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Before and after each call of the lab's function. */
static void forget(void)
{
    inputs_forget();
    overread_forget();
    sent_forget();
    memset(arrays, 0, sizeof arrays);
}

void submission_observe(const struct frame *frame, const struct frame *placed,
                        const struct arrays *own)
{
    forget();
    choices_next_call();
    forget_given();
    observing = false;
    has_output = false;
    down_bytes = results = 0;
    sparse_observe(frame, placed);
    for (uint32_t i = 0; i < frame->count; i++) {
        const struct arg *arg = &frame->arg[i];
        struct host_array *a = &arrays[i];

        if (!arg_is_array(arg) || arg->on_device || arg->integer > 0)
            continue;
        if (arg->kind == ARG_DECODED) {
            inputs_add(i, NULL, arg->data, arg->bytes);
            continue;
        }
        observing = true;
        a->at = placed->arg[i].data;
        a->bytes = arg->bytes;
        overread_add(i, a->at, a->bytes);
        if (arg->kind == ARG_IN)
            inputs_add(i, a->at, arg->data, a->bytes);
        if (!arg_is_output(arg))
            continue;
        has_output = true;
        a->output = memcpy(own->staging[i], a->at, a->bytes);
    }
    release_mapping();
    calls_admit();
}

/* --- up ------------------------------------------------------------------- */

void transfer_up(void *to, const void *host, size_t bytes)
{
    const size_t between = sparse_between(bytes);
    const void *received;

    if (sparse_up(to, host, bytes))
        return;
    if (between) {
        transfer_up(to, host, SPARSE_END);
        transfer_up((char *)to + SPARSE_END + between,
                    (const char *)host + SPARSE_END + between, SPARSE_END);
        return;
    }
    pthread_mutex_lock(&lock);
    overread_note(host, bytes);
    received = observing ? inputs_take(host, bytes) : NULL;
    if (received) {
        memcpy(to, received, bytes);
    } else {
        host_read(to, host, bytes);
        if (observing)
            inputs_classify(to, to, NULL, bytes);
    }
    pthread_mutex_unlock(&lock);
}

/* A norm or a loss is no output that the host computes; element after element
 * is. */
void transfer_result(size_t bytes)
{
    pthread_mutex_lock(&lock);
    if (results++ >= FEW_RESULTS)
        down_bytes += bytes;
    pthread_mutex_unlock(&lock);
}

void transfer_values(size_t bytes)
{
    pthread_mutex_lock(&lock);
    if (observing)
        inputs_count_own(bytes);
    pthread_mutex_unlock(&lock);
}

void transfer_choice(const void *key, const uint64_t *words, size_t count,
                     bool first_is_free)
{
    pthread_mutex_lock(&lock);
    if (observing && count)
        inputs_count_own(choice_bytes(key, words, count, first_is_free));
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
            inputs_classify(old + at, now + at, old + at, n);
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
    down_bytes += bytes;
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
        down_bytes += to - from;
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
    calls_hold();
    sparse_report(facts);
    facts->abandoned = softgpu_abandoned_blocks();
    facts->settings = atomic_load(&shared->settings);
    pthread_mutex_lock(&lock);
    /* libraries copy, too, and their results are not counted as copies */
    if (!has_output && facts->d2h_bytes < down_bytes)
        facts->d2h_bytes = down_bytes;
    facts->supplied_bytes = inputs_own_bytes();
    facts->callers = calling_threads();
    facts->not_copied |= inputs_not_copied();
    overread_report(facts);
    for (unsigned i = 0; i < FRAME_MAX_ARGS; i++)
        if (arrays[i].host_written)
            facts->host_written |= 1u << i;
    forget();
    observing = false;
    pthread_mutex_unlock(&lock);
}
