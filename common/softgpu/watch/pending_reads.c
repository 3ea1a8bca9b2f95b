/* SPDX-License-Identifier: MIT */
/* A short array: a block reads few flags in an interval. */
#include "pending_reads.h"

#include <stdlib.h>

/** A variable that a thread has read. */
struct pending_read {
    struct sync_variable *variable;
    size_t log_count;    /**< its releases so far */
    uint32_t thread;
    uint32_t warp_calls; /**< of its warp, when it read the variable first */
};

/* @return 0 without memory */
static int has_room(struct pending_reads *reads)
{
    const size_t capacity = 2 * reads->capacity + 32;
    struct pending_read *grown;

    if (reads->count < reads->capacity)
        return 1;
    grown = realloc(reads->first, capacity * sizeof *grown);
    if (!grown)
        return 0;
    reads->first = grown;
    reads->capacity = capacity;
    return 1;
}

void pending_reads_add(struct pending_reads *reads,
                       struct sync_variable *variable, uint32_t thread,
                       uint32_t warp_calls)
{
    size_t i = 0;

    while (i < reads->count
           && (reads->first[i].variable != variable
               || reads->first[i].thread != thread))
        i++;
    if (i == reads->count) {
        if (!has_room(reads))
            return;
        reads->first[i] = (struct pending_read){.variable = variable,
                                                .thread = thread,
                                                .warp_calls = warp_calls};
        reads->count++;
    }
    reads->first[i].log_count = variable->count;
}

static int is_known_to(const struct pending_read *read, uint32_t thread,
                       uint32_t warp_calls)
{
    return thread == ALL_THREADS || read->thread == thread
           || (read->thread / WARP_LANES == thread / WARP_LANES
               && read->warp_calls != warp_calls);
}

struct acquired *pending_reads_acquire(struct pending_reads *reads,
                                       uint32_t thread, uint32_t warp_calls,
                                       uint32_t interval,
                                       struct acquired *list)
{
    size_t left = 0;

    for (size_t i = 0; i < reads->count; i++) {
        const struct pending_read *read = &reads->first[i];

        if (is_known_to(read, thread, warp_calls))
            list = sync_acquire(
                list, read->variable, read->log_count,
                thread == ALL_THREADS ? ALL_THREADS : read->thread, interval);
        else
            reads->first[left++] = *read;
    }
    reads->count = left;
    return list;
}
