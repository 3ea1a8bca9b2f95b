/* SPDX-License-Identifier: MIT */
/* Release and acquire.  Each synchronization variable has a log of releases,
 * (block, fences) pairs; a block that acquires remembers the length of the
 * log.  Cost: an entry for each release, a search when two accesses conflict,
 * nothing otherwise. */
#include "happens_before.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "record_pool.h"
#include "shadow_words.h"
#include "shared_shadow.h"

enum { HASH_CHAINS = 4096 };

/** A block and the number of its fences: all before the last one. */
struct release_entry {
    uint32_t block, fences;
};

/** A synchronization variable. */
struct sync_variable {
    uintptr_t address;
    struct release_entry *log;
    size_t count, capacity;
    struct sync_variable *next;
};

/** A variable that a block has acquired, with the first log_count releases. */
struct acquired {
    struct sync_variable *variable;
    size_t log_count;
    struct acquired *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct sync_variable *variables[HASH_CHAINS];
uint32_t hb_launch_number = 1; /* 0 is no tag */
static _Atomic int any_fence; /* in this launch */

static void free_sync_variable(struct sync_variable *w)
{
    free(w->log);
    free(w);
}

static void free_sync_variables(void)
{
    for (unsigned i = 0; i < HASH_CHAINS; i++)
        while (variables[i]) {
            struct sync_variable *w = variables[i];

            variables[i] = w->next;
            free_sync_variable(w);
        }
}

void hb_begin_grid(const struct run *run)
{
    (void)run;
    atomic_store(&any_fence, 0);
    shadow_reset();
}

void hb_end_grid(const struct run *run)
{
    hb_launch_number += atomic_load(&run->grid_epoch) + 1;
    free_sync_variables();
}

void hb_begin_interval(struct watch_block *block)
{
    enum { WRAP = 1 << 28 }; /* init_mask[] has 28 bits for the number */

    if (++block->interval == WRAP) { /* numbers start again: clear the shadow */
        memset(block->cells, 0, block->words * sizeof *block->cells);
        memset(block->init_mask, 0, block->words * sizeof *block->init_mask);
        block->interval = block->first_interval = 1;
    }
    block->fences_at_start = block->fences;
    record_pool_reset(block->pool);
    shared_shadow_new_interval(block);
}

/* All releases into a phase precede its first acquire, so that one counts as a
 * barrier of the whole block: no false alarm, though a race of threads that
 * it does not order may be missed. */
void hb_cuda_barrier(enum softgpu_ordering how, const volatile void *object,
                     uint64_t phase)
{
    struct watch_block *w = watch_current_block();

    if (!w)
        return;
    watch_run_deferred();
    if (how == SOFTGPU_RELEASES) {
        w->barrier = NULL;
    } else if (w->barrier != object || w->phase != phase) {
        w->barrier = object;
        w->phase = phase;
        hb_begin_interval(w);
    }
}

void hb_fence(struct watch_block *block)
{
    block->fences++;
    if (!atomic_load_explicit(&any_fence, memory_order_relaxed))
        atomic_store(&any_fence, 1);
}

int hb_releases_in_block(const struct watch_block *block,
                         const struct access_record *writer)
{
    return writer->fences > block->fences_at_start
           && writer->interval == block->interval;
}

static struct sync_variable *find_sync_variable(uintptr_t address, int create)
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

static void release(struct sync_variable *w, const struct watch_block *block)
{
    const uint32_t number = (uint32_t)block->block->linear;
    struct release_entry *last = w->count ? &w->log[w->count - 1] : NULL;

    if (last && last->block == number && last->fences == block->fences)
        return;
    if (w->count == w->capacity) {
        size_t capacity = w->capacity ? 2 * w->capacity : 8;
        struct release_entry *grown = realloc(w->log, capacity * sizeof *grown);

        if (!grown)
            return;
        w->log = grown;
        w->capacity = capacity;
    }
    w->log[w->count++] = (struct release_entry){number, block->fences};
}

static void acquire(struct watch_block *block, struct sync_variable *w)
{
    struct acquired *a = block->acquired;

    while (a && a->variable != w)
        a = a->next;
    if (!a && (a = calloc(1, sizeof *a)) != NULL) {
        a->variable = w;
        a->next = block->acquired;
        block->acquired = a;
    }
    if (a)
        a->log_count = w->count;
}

/* The atomic load that this OS thread executes after the callback.  Until then
 * another OS thread may release and store the value that it reads. */
static SOFTGPU_TLS struct {
    struct watch_block *block;
    uintptr_t address;
} pending_load;

void hb_atomic_access(struct watch_block *block, uintptr_t address, int writes)
{
    struct sync_variable *w;

    pending_load.block = block;
    pending_load.address = address;
    watch_has_deferred = 1;
    shared_shadow_disable();
    if (!atomic_load_explicit(&any_fence, memory_order_relaxed))
        return;
    pthread_mutex_lock(&lock);
    w = find_sync_variable(address, writes && block->fences);
    if (w) {
        acquire(block, w);
        if (writes && block->fences)
            release(w, block);
    }
    pthread_mutex_unlock(&lock);
}

void hb_finish_load(void)
{
    struct watch_block *block = pending_load.block;
    struct sync_variable *w;

    pending_load.block = NULL;
    if (!block || !atomic_load_explicit(&any_fence, memory_order_relaxed))
        return;
    pthread_mutex_lock(&lock);
    w = find_sync_variable(pending_load.address, 0);
    if (w)
        acquire(block, w);
    pthread_mutex_unlock(&lock);
}

void hb_free_acquired(struct acquired *acquired)
{
    while (acquired) {
        struct acquired *next = acquired->next;

        free(acquired);
        acquired = next;
    }
}

int hb_happens_before(const struct watch_block *block,
                      const struct access_record *other)
{
    const struct acquired *a;
    int found = 0;

    if (!block->acquired)
        return 0;
    pthread_mutex_lock(&lock);
    for (a = block->acquired; a && !found; a = a->next) {
        size_t i = a->log_count;

        while (i-- > 0 && !found) /* latest release first */
            found = a->variable->log[i].block == other->block
                    && a->variable->log[i].fences > other->fences;
    }
    pthread_mutex_unlock(&lock);
    return found;
}
