/* SPDX-License-Identifier: MIT */
/* Watchers of words: read before written?  Raced for?  What is known of a
 * word is found once here; init.c and race.c judge. */
#include "words.h"

#include <sched.h>

#include "init.h"
#include "order.h"
#include "race.h"
#include "watchers.h"

enum {
    STRIPES = 4096,      /* locks of global words, by 64 bytes */
    SPINS = 200,         /* before a lock is waited for elsewhere */
    POOL_LINKS = 1 << 23 /* further records in a launch: 235 MB at most */
};

static atomic_flag stripes[STRIPES];
static struct pool pool;

static atomic_flag *stripe(uintptr_t address)
{
    return &stripes[(address >> 6) % STRIPES];
}

static void lock(uintptr_t address)
{
    for (int i = 0; atomic_flag_test_and_set_explicit(stripe(address),
                                                      memory_order_acquire);
         i++)
        if (i % SPINS == SPINS - 1)
            sched_yield();
}

static void unlock(uintptr_t address)
{
    atomic_flag_clear_explicit(stripe(address), memory_order_release);
}

void words_forget(void)
{
    if (!pool.links)
        pool_open(&pool, POOL_LINKS);
    pool_empty(&pool);
}

static struct word_access word_of(const struct access *a)
{
    struct word_access word = {.access = a,
                               .now = words_now(a->block, a->flags, a->code)};

    if (a->region == REGION_SHARED) {
        word.pool = a->block->pool;
        word.tag = a->block->interval;
        word.now.fences = a->block->fences;
        return word;
    }
    word.pool = &pool;
    word.tag = order_tag(a->block);
    word.now.block = (uint32_t)a->block->block->linear;
    word.now.fences = a->block->fences;
    return word;
}

/* One word; `who` without its bytes is kept for the next. */
static void judge(struct word_access *word, size_t index, unsigned bytes)
{
    const struct access *a = word->access;
    struct cell *cells = a->memory ? a->memory->cells : a->block->cells;
    const uint32_t who = word->now.who;

    if (!init_judge(a, index, bytes))
        word->now.who |= SEEN_UNKNOWN; /* each such read is told */
    if (!cells || !a->block->sampled)
        return;
    word->cell = &cells[index];
    word->now.who |= bytes << SEEN_BYTES_SHIFT;
    race_judge(word);
    word->now.who = who;
}

static void judge_all(const struct access *a)
{
    const int is_shared = a->region == REGION_SHARED;
    const uintptr_t base =
        is_shared ? (uintptr_t)softgpu_tls.shared : a->memory->base;
    struct word_access word = word_of(a);
    size_t at = a->address - base, end = at + a->bytes;

    for (; at < end; at = (at | 3) + 1) {
        word.address = base + (at & ~(size_t)3);
        judge(&word, at / 4, words_bytes(at, end));
    }
}

void words_follow(struct watch_block *w)
{
    const struct run *run = w->block->worker->run;

    words_fast.declared = run->grid->kernel->static_shared / 4;
    words_fast.dynamic = run->dynamic_at / 4;
    words_fast.dynamic_end = (run->dynamic_at + run->grid->dynamic_bytes) / 4;
    words_fast.functions = run->functions_at / 4;
    words_fast.base = w->block->arena;
    words_fast.words = w->sampled && !watch_unsettled && !w->block->profile
                           ? softgpu_tls.shared_bytes / 4
                           : 0;
    words_fast.cells = w->cells;
    words_fast.threads = w->block->threads;
    words_fast.block = w;
    words_fast.interval = w->interval;
}

/* Words that belong to somebody, by find_shared's rule (bounds.c). */
static int are_owned(size_t index, size_t end)
{
    return end <= words_fast.declared
           || (index >= words_fast.dynamic && end <= words_fast.dynamic_end)
           || index >= words_fast.functions;
}

/* Begin a word's record, as cell_begin() does, by as few stores as can be; a
 * read begins none of what was never written.  @return whether it did */
static inline int begin_word(size_t index, uint32_t flags, uint32_t code)
{
    const struct softgpu_thread *t = softgpu_tls.thread;
    const struct watch_block *w = words_fast.block;
    struct cell *cell = &words_fast.cells[index];
    const uint32_t who = (uint32_t)(t - words_fast.threads) | SEEN_BYTES;
    const uint32_t all = w->first << 4 | 0xf;

    if (cell->tag == (uint32_t)words_fast.interval)
        return 0;
    if (flags)
        w->known[index] = all;
    else if (w->known[index] != all)
        return 0;
    words_put(&cell->head.code, code,
              flags ? who | SEEN_WRITE | SEEN_LAST : who);
    words_put(&cell->head.block, 0, (uint32_t)words_fast.interval);
    words_put(&cell->head.fences, w->fences, (uint16_t)t->warp->steps);
    words_put(&cell->tag, (uint32_t)words_fast.interval,
              flags ? CELL_WRITTEN : 0);
    return 1;
}

int words_only_begin(size_t index, uint32_t words, uint32_t flags,
                     uintptr_t code)
{
    if (!are_owned(index, index + words))
        return 0;
    for (uint32_t i = 0; i < words; i++)
        if (!begin_word(index + i, flags, (uint32_t)code))
            return 0; /* what was begun is right: it is judged once more */
    return 1;
}

int words_covered(const struct watched *m, const volatile void *p,
                  uint32_t bytes, uintptr_t code)
{
    const size_t at = (uintptr_t)p - m->base;
    const struct watch_block *w = watch_here();
    uint32_t tag;
    struct seen now;

    if (bytes < 4 || !m->cells || (uintptr_t)p & (bytes - 1) || at & 3)
        return 0;
    if (!w->sampled && !m->known)
        return 1;
    now = words_now(w, 0, code);
    now.who |= SEEN_BYTES;
    now.block = (uint32_t)w->block->linear;
    tag = order_tag(w);
    for (uint32_t i = 0; i < bytes / 4; i++)
        if (!cell_covers(&m->cells[at / 4 + i], &now, tag))
            return 0;
    return 1;
}

int watch_cells_of(const struct access *a)
{
    if (a->region == REGION_SHARED) {
        if (a->block->sampled)
            judge_all(a);
        return 0;
    }
    lock(a->address);
    judge_all(a);
    unlock(a->address);
    return 0;
}
