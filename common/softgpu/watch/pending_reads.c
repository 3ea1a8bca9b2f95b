/* SPDX-License-Identifier: MIT */
/* A short array: a block reads few flags in an interval. */
#include "pending_reads.h"

#include <stdlib.h>

/** A variable that a thread has read first. */
struct pending_read {
    struct sync_read by; /**< thread: ALL_THREADS after a barrier */
    size_t log_count;    /**< its releases so far */
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

static struct pending_read *find(const struct pending_reads *reads,
                                 const struct sync_read *read)
{
    size_t i = 0;

    while (i < reads->count
           && (reads->first[i].by.variable != read->variable
               || reads->first[i].by.thread != read->thread
               || reads->first[i].by.is_stated != read->is_stated))
        i++;
    return i < reads->count ? &reads->first[i] : NULL;
}

void pending_reads_add(struct pending_reads *reads,
                       const struct sync_read *read)
{
    struct pending_read *entry = find(reads, read);

    if (!entry) {
        if (!has_room(reads))
            return;
        entry = &reads->first[reads->count++];
        entry->by = *read;
    }
    entry->log_count = read->variable->count;
}

static int is_known_to(const struct sync_read *read, uint32_t thread,
                       uint32_t warp_calls)
{
    return read->thread == ALL_THREADS || read->thread == thread
           || (read->thread / WARP_LANES == thread / WARP_LANES
               && read->warp_calls != warp_calls);
}

/* A barrier hands a read to all threads, whichever executes the fence. */
static void hand_over(struct pending_reads *reads, struct pending_read read)
{
    struct pending_read *same;

    read.by.thread = ALL_THREADS;
    same = find(reads, &read.by);
    if (!same)
        reads->first[reads->count++] = read;
    else if (same->log_count < read.log_count)
        same->log_count = read.log_count;
}

struct acquired *pending_reads_acquire(struct pending_reads *reads,
                                       uint32_t thread, uint32_t warp_calls,
                                       uint32_t interval,
                                       struct acquired *list)
{
    const size_t count = reads->count;
    const int at_barrier = thread == ALL_THREADS;

    reads->count = 0;
    for (size_t i = 0; i < count; i++) {
        const struct pending_read read = reads->first[i];

        if (at_barrier && read.by.is_stated)
            hand_over(reads, read);
        else if (at_barrier || is_known_to(&read.by, thread, warp_calls))
            list = sync_acquire(list, read.by.variable, read.log_count,
                                at_barrier ? ALL_THREADS : read.by.thread,
                                interval);
        else
            reads->first[reads->count++] = read;
    }
    return list;
}
