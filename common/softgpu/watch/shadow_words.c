/* SPDX-License-Identifier: MIT */
/* Passes each word of an access with its shadow to initcheck and racecheck. */
#include "shadow_words.h"

#include <sched.h>
#include <stdatomic.h>

#include "access_checks.h"
#include "happens_before.h"
#include "initcheck.h"
#include "race_rules.h"
#include "racecheck.h"

enum {
    LOCKS = 4096,           /* of words of device memory, by 64 bytes */
    SPINS = 200,            /* before a thread that waits for one yields */
    POOL_RECORDS = 1 << 23, /* further records in a launch: 235 MB at most */
    KEPT_RECORDS = 1 << 19  /* so few stay for the launches that follow */
};

static atomic_flag locks[LOCKS];
static struct record_pool pool;
static uint32_t oldest_tag; /* of the cells whose further records are there */

static atomic_flag *lock_of(uintptr_t address)
{
    return &locks[(address >> 6) % LOCKS];
}

static void lock(uintptr_t address)
{
    for (int i = 1; atomic_flag_test_and_set_explicit(lock_of(address),
                                                      memory_order_acquire);
         i++)
        if (i % SPINS == 0)
            sched_yield();
}

static void unlock(uintptr_t address)
{
    atomic_flag_clear_explicit(lock_of(address), memory_order_release);
}

void shadow_reset(void)
{
    if (!pool.nodes)
        record_pool_init(&pool, POOL_RECORDS);
    if (pool.used < KEPT_RECORDS)
        return;
    record_pool_reset(&pool);
    oldest_tag = hb_launch_number;
}

/* Is it one of the accesses that shadow_conflict() looks for? */
static int is_conflict(const struct shadow_cell *cell,
                       const struct access_record *r,
                       const struct byte_range *range)
{
    const uint32_t written =
        cell->tag < oldest_tag ? cell->next & CELL_WRITTEN
                               : r->threads & RECORD_WRITE;

    return (range->writes || written)
           && record_overlaps(r, range->word, range->base, range->end);
}

/* Index of the record after r; 0: there is none. */
static uint32_t next_record(const struct shadow_cell *cell,
                            const struct access_record *r)
{
    if (cell->tag < oldest_tag)
        return 0;
    if (r == &cell->head)
        return cell->next & ~CELL_WRITTEN;
    return ((const struct record_node *)(const void *)r)->next;
}

const struct access_record *shadow_conflict(const struct shadow_cell *cell,
                                            const struct byte_range *range,
                                            const struct access_record *after)
{
    const struct access_record *r = after;
    uint32_t next;

    if (!r && is_conflict(cell, r = &cell->head, range))
        return r;
    while ((next = next_record(cell, r)) != 0) {
        r = &pool.nodes[next].record;
        if (is_conflict(cell, r, range))
            return r;
    }
    return NULL;
}

const struct access_record *shadow_last_store(const struct shadow_cell *cell)
{
    const struct access_record *r = &cell->head;
    uint32_t next;

    while (!(r->threads & RECORD_LAST_WRITER)) {
        next = next_record(cell, r);
        if (!next)
            return NULL;
        r = &pool.nodes[next].record;
    }
    return r;
}

struct byte_range shadow_bytes_of(const struct word_access *word)
{
    const uint32_t bytes = word->current.threads >> RECORD_BYTES_SHIFT & 0xf;
    const uintptr_t base = word->address + (unsigned)__builtin_ctz(bytes);

    return (struct byte_range){
        word->address, base, base + (unsigned)__builtin_popcount(bytes),
        (word->current.threads & RECORD_WRITE) != 0};
}

static struct word_access make_word_access(const struct access *a)
{
    struct word_access word = {
        .access = a, .current = make_record(a->block, a->flags, a->pc)};

    if (a->region == REGION_SHARED) {
        word.pool = a->block->pool;
        word.tag = a->block->interval;
    } else {
        word.pool = &pool;
        word.tag = hb_tag(a->block);
        word.current.block = (uint32_t)a->block->block->linear;
    }
    return word;
}

/* Check one word of the access.  The bits that belong to this word alone are
 * cleared again for the next one. */
static void check_word(struct word_access *word, size_t index, unsigned bytes)
{
    const struct access *a = word->access;
    struct shadow_cell *cells = a->memory ? a->memory->cells : a->block->cells;
    const uint32_t threads = word->current.threads;

    if (!(a->flags & ACCESS_ISSUED) && !initcheck_word(a, index, bytes))
        word->current.threads |= RECORD_UNINITIALIZED;
    if (!cells || !a->block->sampled)
        return;
    if (a->memory)
        a->memory->granules[index / GRANULE_WORDS].pc = 0;
    else
        a->block->keys[index] = 0;
    word->cell = &cells[index];
    word->current.threads |= bytes << RECORD_BYTES_SHIFT;
    racecheck_word(word);
    word->current.threads = threads;
}

/* The last atomic or volatile load of this OS thread, until its next access. */
static SOFTGPU_TLS struct {
    struct access access;
    struct word_access word;
    int is_pending;
} last_load;

static void keep_load(const struct word_access *word)
{
    const struct access *a = word->access;

    if (!a->memory || !a->memory->cells || !a->block->sampled
        || !(a->flags & (ACCESS_ATOMIC | ACCESS_VOLATILE)))
        return;
    last_load.access = *a;
    last_load.word = *word;
    last_load.word.access = &last_load.access;
    last_load.is_pending = 1;
    watch_defer();
}

void shadow_finish_load(void)
{
    const struct access *a = &last_load.access;
    struct word_access *word = &last_load.word;

    if (!last_load.is_pending)
        return;
    last_load.is_pending = 0;
    lock(a->address);
    for (size_t at = (a->address - a->memory->base) & ~(size_t)3;
         at < a->address + a->bytes - a->memory->base; at += 4) {
        word->address = a->memory->base + at;
        word->cell = &a->memory->cells[at / 4];
        racecheck_observe(word);
    }
    unlock(a->address);
}

static void check_words(const struct access *a)
{
    const int is_shared = a->region == REGION_SHARED;
    const uintptr_t base =
        is_shared ? (uintptr_t)softgpu_tls.shared : a->memory->base;
    struct word_access word = make_word_access(a);
    size_t at = a->address - base, end = at + a->bytes;

    for (; at < end; at = (at | 3) + 1) {
        word.address = base + (at & ~(size_t)3);
        check_word(&word, at / 4, shadow_byte_mask(at, end));
    }
    keep_load(&word);
}

/* When several blocks read all words of a granule at one pc, and no thread
 * wrote them, the granule says so for all.  Holds the lock that check_word()
 * is called with when it resets the granule. */
static void promote_granule(const struct allocation *m, size_t number,
                            const struct granule *current)
{
    const struct shadow_cell *cell = &m->cells[number * GRANULE_WORDS];
    const uintptr_t address = m->base + number * GRANULE_WORDS * 4;
    int same = 1;

    lock(address);
    for (int i = 0; i < GRANULE_WORDS; i++, cell++)
        same &= cell->tag == current->tag && cell->head.pc == current->pc
                && !(cell->next & CELL_WRITTEN)
                && (cell->head.threads & (RECORD_KEY | RECORD_BLOCKS))
                       == (RECORD_BYTES | RECORD_BLOCKS);
    if (same)
        m->granules[number] = *current;
    unlock(address);
}

int global_words_recorded(const struct allocation *m, size_t at, uint32_t bytes,
                          const struct granule *granule)
{
    const struct watch_block *w = watch_current_block();
    struct access_record current = make_record(w, 0, granule->pc);

    if (!w->sampled && !m->init_mask)
        return 1;
    current.threads |= RECORD_BYTES;
    current.block = (uint32_t)w->block->linear;
    for (uint32_t i = 0; i < bytes / 4; i++)
        if (!cell_has_access(&m->cells[at / 4 + i], &current, granule->tag))
            return 0;
    if ((at + bytes) % (4 * GRANULE_WORDS) == 0
        && m->cells[at / 4].head.threads & RECORD_BLOCKS)
        promote_granule(m, at / 4 / GRANULE_WORDS, granule);
    return 1;
}

int watch_check_words(struct access *a)
{
    if (a->region == REGION_SHARED) {
        if (a->block->sampled)
            check_words(a);
        return 0;
    }
    lock(a->address);
    check_words(a);
    unlock(a->address);
    return 0;
}
