/* SPDX-License-Identifier: MIT */
/* Logs of releases, and the search in what was acquired from them. */
#include "sync_variable.h"

#include <stdlib.h>
#include <string.h>

#include "block_fences.h"

enum {
    HASH_CHAINS = 4096,
    CHUNK = 1024,           /* acquisitions that are allocated together */
    MAX_STACK = 4096,       /* lists that a query still has to visit */
    MAX_STEPS = 1 << 18     /* entries that it looks at */
};

/** Acquisitions, freed all at once. */
struct chunk {
    struct chunk *next;
    size_t used;
    struct acquired acquired[CHUNK];
};

static struct sync_variable *variables[HASH_CHAINS];
static struct chunk *chunks;
static uint32_t query; /* number of the latest */

struct sync_variable *sync_variable_find(uintptr_t address, int create)
{
    struct sync_variable **chain = &variables[(address >> 2) % HASH_CHAINS];
    struct sync_variable *w = *chain;

    while (w && w->address != address)
        w = w->next;
    if (w || !create || !(w = calloc(1, sizeof *w)))
        return w;
    w->address = address;
    w->next = *chain;
    return *chain = w;
}

void sync_release(struct sync_variable *w, const struct release_entry *entry)
{
    const struct release_entry *last = w->count ? &w->log[w->count - 1] : NULL;

    if (last && last->block == entry->block && last->thread == entry->thread
        && last->fence == entry->fence && last->interval == entry->interval
        && last->sequence == entry->sequence
        && last->knowledge == entry->knowledge)
        return;
    if (w->count == w->capacity) {
        const size_t capacity = w->capacity ? 2 * w->capacity : 8;
        struct release_entry *grown = realloc(w->log, capacity * sizeof *grown);

        if (!grown)
            return;
        w->log = grown;
        w->capacity = capacity;
    }
    w->log[w->count++] = *entry;
}

struct acquired *sync_acquire(struct acquired *list,
                              struct sync_variable *variable, size_t log_count,
                              uint32_t thread, uint32_t interval)
{
    struct chunk *chunk = chunks;
    struct acquired *made;

    if (!chunk || chunk->used == CHUNK) {
        chunk = malloc(sizeof *chunk);
        if (!chunk)
            return list;
        chunk->next = chunks;
        chunk->used = 0;
        chunks = chunk;
    }
    made = &chunk->acquired[chunk->used++];
    *made = (struct acquired){.variable = variable, .log_count = log_count,
                              .thread = thread, .interval = interval,
                              .next = list};
    return made;
}

void sync_variables_free(void)
{
    for (unsigned i = 0; i < HASH_CHAINS; i++)
        while (variables[i]) {
            struct sync_variable *w = variables[i];

            variables[i] = w->next;
            free(w->log);
            free(w);
        }
    while (chunks) {
        struct chunk *chunk = chunks;

        chunks = chunk->next;
        free(chunk);
    }
}

/* --- queries -------------------------------------------------------------- */

/* Is the access ordered before the release?  A record may stand for several
 * threads; then all of them must be. */
static int releases(const struct release_entry *e,
                    const struct access_record *a)
{
    const uint32_t thread = a->threads & RECORD_THREAD;

    if (a->block != e->block)
        return 0;
    if (a->sequence < e->fence_at_start && a->interval < e->interval
        && (!e->handed_over || handed_fences_order(e->handed_over, a)))
        return 1; /* fence, barrier, write */
    if (a->sequence == e->sequence && thread == e->thread
        && a->threads & (RECORD_ATOMIC | RECORD_VOLATILE))
        return 1; /* the write itself */
    if (a->sequence < e->warp_fence && a->interval == e->interval
        && !(a->threads & RECORD_WARPS) && !((thread ^ e->thread) & RECORD_WARP)
        && e->fenced_lanes >> thread % WARP_LANES & 1)
        return 1; /* fence, warp call, write */
    if (!e->fence)
        return 0;
    if (a->interval < e->fence_interval)
        return 1; /* barrier, fence, write */
    if (a->threads & RECORD_WARPS || a->interval != e->fence_interval)
        return 0;
    if ((thread ^ e->thread) & RECORD_WARP)
        return 0;
    if ((int16_t)(e->fence_warp_interval - a->warp_interval) > 0)
        return 1; /* __syncwarp, fence, write */
    return !(a->threads & RECORD_LANES) && thread == e->thread
           && a->sequence < e->fence;
}

/** A query in progress. */
struct search {
    const struct access_record *access;
    struct acquired *stack[MAX_STACK];
    unsigned depth, steps;
};

/* Search the releases of an acquisition that the query has not searched yet,
 * the latest first. */
static int search_log(struct search *s, const struct acquired *a)
{
    struct sync_variable *w = a->variable;
    const size_t from = w->query == query ? w->searched : 0;

    w->query = query;
    for (size_t i = a->log_count; i > from; i--) {
        struct acquired *knowledge = w->log[i - 1].knowledge;

        if (releases(&w->log[i - 1], s->access))
            return 1;
        if (knowledge && knowledge->query != query && s->depth < MAX_STACK)
            s->stack[s->depth++] = knowledge;
        s->steps++;
    }
    w->searched = a->log_count > from ? a->log_count : from;
    return s->steps > MAX_STEPS;
}

/* A thread knows the log that it acquired; after a barrier its block does,
 * too. */
static int is_known_to(const struct acquired *a, uint32_t thread,
                       uint32_t interval)
{
    return a->thread == ALL_THREADS || a->thread == thread
           || a->interval < interval
           || !((a->thread ^ thread) & RECORD_WARP);
}

int sync_acquired(struct acquired *list, uint32_t thread, uint32_t interval,
                  const struct access_record *access)
{
    static struct search s;

    query++;
    s.access = access;
    s.depth = s.steps = 0;
    for (struct acquired *a = list; a; a = a->next)
        if (is_known_to(a, thread, interval) && search_log(&s, a))
            return 1;
    while (s.depth) {
        struct acquired *a = s.stack[--s.depth];

        for (; a && a->query != query; a = a->next) {
            a->query = query;
            if (search_log(&s, a))
                return 1;
        }
    }
    return 0;
}
