/* SPDX-License-Identifier: MIT */
/* Hand-over between blocks.  Each word that is touched atomically has a log of
 * (block, fences) pairs; a block remembers how long the log was when it last
 * read the word.  Cost: an entry a publication, a search when a race is
 * suspected, nothing otherwise. */
#include "order.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 4096 }; /* hash chains */

struct entry {
    uint32_t block, fences;
};

/** A word that blocks hand over by. */
struct word {
    uintptr_t address;
    struct entry *log;
    size_t count, room;
    struct word *next;
};

/** What a block has read of a word's log. */
struct acquired {
    struct word *word;
    size_t known;
    struct acquired *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct word *words[WORDS];
static uint32_t base = 1; /* 0: never */

void order_begin_grid(const struct run *run)
{
    if (base > UINT32_MAX / 2) /* far from any wrap in one launch */
        base = 1;
    (void)run;
}

static void free_word(struct word *w)
{
    free(w->log);
    free(w);
}

void order_end_grid(const struct run *run)
{
    unsigned i;

    base += (uint32_t)run->blocks * (atomic_load(&run->grid_epoch) + 1);
    for (i = 0; i < WORDS; i++)
        while (words[i]) {
            struct word *w = words[i];

            words[i] = w->next;
            free_word(w);
        }
}

uint32_t order_base(void)
{
    return base;
}

uint32_t order_first(const struct watch_block *block)
{
    const struct run *run = block->block->worker->run;

    return block->base + (uint32_t)run->blocks * atomic_load(&run->grid_epoch);
}

uint32_t order_serial(const struct watch_block *block)
{
    return order_first(block) + (uint32_t)block->block->linear;
}

static struct word *word_at(uintptr_t address, int make)
{
    struct word **chain = &words[(address >> 2) % WORDS];
    struct word *w = *chain;

    while (w && w->address != address)
        w = w->next;
    if (w || !make || !(w = calloc(1, sizeof *w)))
        return w;
    w->address = address;
    w->next = *chain;
    return *chain = w;
}

static void publish(struct word *w, const struct watch_block *block)
{
    uint32_t serial = order_serial(block);
    struct entry *last = w->count ? &w->log[w->count - 1] : NULL;

    if (last && last->block == serial && last->fences == block->fences)
        return;
    if (w->count == w->room) {
        size_t room = w->room ? 2 * w->room : 8;
        struct entry *more = realloc(w->log, room * sizeof *more);

        if (!more)
            return;
        w->log = more;
        w->room = room;
    }
    w->log[w->count++] = (struct entry){serial, block->fences};
}

static void acquire(struct watch_block *block, struct word *w)
{
    struct acquired *a = block->acquired;

    while (a && a->word != w)
        a = a->next;
    if (!a && (a = calloc(1, sizeof *a)) != NULL) {
        a->word = w;
        a->next = block->acquired;
        block->acquired = a;
    }
    if (a)
        a->known = w->count;
}

void order_touch(struct watch_block *block, uintptr_t address, int writes)
{
    struct word *w;

    pthread_mutex_lock(&lock);
    w = word_at(address, writes && block->fences);
    if (w) {
        acquire(block, w);
        if (writes && block->fences)
            publish(w, block);
    }
    pthread_mutex_unlock(&lock);
}

void order_forget(struct acquired *acquired)
{
    while (acquired) {
        struct acquired *next = acquired->next;

        free(acquired);
        acquired = next;
    }
}

int order_knows(const struct watch_block *block, const struct party *other)
{
    const struct acquired *a;
    int knows = 0;

    pthread_mutex_lock(&lock);
    for (a = block->acquired; a && !knows; a = a->next) {
        size_t i = a->known;

        while (i-- > 0 && !knows) /* a fence after the access: step below it */
            knows = a->word->log[i].block == other->block
                    && a->word->log[i].fences > other->step;
    }
    pthread_mutex_unlock(&lock);
    return knows;
}
