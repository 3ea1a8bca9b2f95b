/* SPDX-License-Identifier: MIT */
/* Hand-over between blocks.  Each word that is touched atomically has a log of
 * (block, fences) pairs; a block remembers how long the log was when it last
 * read the word.  Cost: an entry a publication, a search when a race is
 * suspected, nothing otherwise. */
#include "order.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "race.h"
#include "words.h"

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
uint32_t order_base = 1; /* 0: never */
static _Atomic int any_fence; /* in this launch */

static void free_word(struct word *w)
{
    free(w->log);
    free(w);
}

static void forget_words(void)
{
    for (unsigned i = 0; i < WORDS; i++)
        while (words[i]) {
            struct word *w = words[i];

            words[i] = w->next;
            free_word(w);
        }
}

void order_begin_grid(const struct run *run)
{
    (void)run;
    atomic_store(&any_fence, 0);
    words_forget();
}

void order_end_grid(const struct run *run)
{
    order_base += atomic_load(&run->grid_epoch) + 1;
    forget_words();
}

void order_interval(struct watch_block *block)
{
    enum { WRAP = 1 << 28 }; /* what fits beside the bytes in known[] */

    if (++block->interval == WRAP) { /* numbers start again: forget all */
        memset(block->cells, 0, block->words * sizeof *block->cells);
        memset(block->known, 0, block->words * sizeof *block->known);
        block->interval = block->first = 1;
    }
    block->fenced = block->fences;
    pool_empty(block->pool);
    if (words_fast.block == block)
        words_fast.interval = block->interval;
}

/* All that was released into a phase was done before its first acquire, so
 * that one may count as a barrier of the whole block: no false alarm, though
 * a race of threads that it does not order may hide. */
void order_by_object(enum softgpu_ordering how, const volatile void *object,
                     uint64_t phase)
{
    struct watch_block *w = watch_here();

    if (!w)
        return;
    watch_settle();
    if (how == SOFTGPU_RELEASES) {
        w->barrier = NULL;
    } else if (w->barrier != object || w->phase != phase) {
        w->barrier = object;
        w->phase = phase;
        order_interval(w);
    }
}

void order_fence(struct watch_block *block)
{
    block->fences++;
    if (!atomic_load_explicit(&any_fence, memory_order_relaxed))
        atomic_store(&any_fence, 1);
}

int order_hands_over(const struct watch_block *block, const struct seen *writer)
{
    return writer->fences > block->fenced
           && writer->interval == block->interval;
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
    const uint32_t number = (uint32_t)block->block->linear;
    struct entry *last = w->count ? &w->log[w->count - 1] : NULL;

    if (last && last->block == number && last->fences == block->fences)
        return;
    if (w->count == w->room) {
        size_t room = w->room ? 2 * w->room : 8;
        struct entry *more = realloc(w->log, room * sizeof *more);

        if (!more)
            return;
        w->log = more;
        w->room = room;
    }
    w->log[w->count++] = (struct entry){number, block->fences};
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

/* The load that was announced last; before it was made, another OS thread
 * may have published and stored what it will see. */
static SOFTGPU_TLS struct {
    struct watch_block *block;
    uintptr_t address;
} announced;

void order_touch(struct watch_block *block, uintptr_t address, int writes)
{
    struct word *w;

    announced.block = block;
    announced.address = address;
    watch_unsettled = 1;
    words_stop();
    if (!atomic_load_explicit(&any_fence, memory_order_relaxed))
        return;
    pthread_mutex_lock(&lock);
    w = word_at(address, writes && block->fences);
    if (w) {
        acquire(block, w);
        if (writes && block->fences)
            publish(w, block);
    }
    pthread_mutex_unlock(&lock);
}

void order_settle(void)
{
    struct watch_block *block = announced.block;
    struct word *w;

    announced.block = NULL;
    if (!block || !atomic_load_explicit(&any_fence, memory_order_relaxed))
        return;
    pthread_mutex_lock(&lock);
    w = word_at(announced.address, 0);
    if (w)
        acquire(block, w);
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

int order_knows(const struct watch_block *block, const struct seen *other)
{
    const struct acquired *a;
    int knows = 0;

    if (!block->acquired)
        return 0;
    pthread_mutex_lock(&lock);
    for (a = block->acquired; a && !knows; a = a->next) {
        size_t i = a->known;

        while (i-- > 0 && !knows) /* a fence after the access: step below it */
            knows = a->word->log[i].block == other->block
                    && a->word->log[i].fences > other->fences;
    }
    pthread_mutex_unlock(&lock);
    return knows;
}
