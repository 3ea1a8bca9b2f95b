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
    if (a->memory)
        a->memory->granules[index / GRANULE_WORDS].code = 0;
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

/* All its words were read from one place by several blocks, and not written:
 * remember that of the whole granule.  Under its lock, as all that undoes it
 * is (judge). */
static void settle_granule(const struct watched *m, size_t number,
                           const struct granule *now)
{
    const struct cell *cell = &m->cells[number * GRANULE_WORDS];
    const uintptr_t address = m->base + number * GRANULE_WORDS * 4;
    int same = 1;

    lock(address);
    for (int i = 0; i < GRANULE_WORDS; i++, cell++)
        same &= cell->tag == now->tag && cell->head.code == now->code
                && !(cell->next & CELL_WRITTEN)
                && (cell->head.who & (SEEN_KEY | SEEN_BLOCKS))
                       == (SEEN_BYTES | SEEN_BLOCKS);
    if (same)
        m->granules[number] = *now;
    unlock(address);
}

int words_covered_each(const struct watched *m, size_t at, uint32_t bytes,
                       const struct granule *granule)
{
    const struct watch_block *w = watch_here();
    struct seen now = words_now(w, 0, granule->code);

    if (!w->sampled && !m->known)
        return 1;
    now.who |= SEEN_BYTES;
    now.block = (uint32_t)w->block->linear;
    for (uint32_t i = 0; i < bytes / 4; i++)
        if (!cell_covers(&m->cells[at / 4 + i], &now, granule->tag))
            return 0;
    if ((at + bytes) % (4 * GRANULE_WORDS) == 0
        && m->cells[at / 4].head.who & SEEN_BLOCKS)
        settle_granule(m, at / 4 / GRANULE_WORDS, granule);
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
