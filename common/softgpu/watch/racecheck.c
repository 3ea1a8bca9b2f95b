/* SPDX-License-Identifier: MIT */
/* Racecheck of one word.  Two writes of the same value are no race worth a
 * report.  A write's value is known only after the store, so such a pair is
 * deferred until the OS thread's next access. */
#include "racecheck.h"

#include <string.h>

#include "block_order.h"
#include "cas_guess.h"
#include "happens_before.h"
#include "late_value.h"
#include "race_report.h"
#include "race_rules.h"
#include "shadow_words.h"
#include "shared_shadow.h"
#include "stream_race.h"
#include "torn_read.h"
#include "watchdog.h"

enum {
    MAX_DEFERRED = 16, /* of one access: 4 words, a few records each */
    MAX_RECORDS = 24   /* of one word; further instructions are not recorded */
};

/** A write that conflicts with another thread's write; it is a race when the
 *  values differ. */
struct deferred {
    struct softgpu_finding finding;
    struct access_record old;
    struct access_record *own_record; /* the instruction's own, when `old` is a
                                         copy of it; or NULL */
    uintptr_t address;
};

static SOFTGPU_TLS struct deferred deferred[MAX_DEFERRED];
static SOFTGPU_TLS unsigned deferred_count;

/* Hash of the bytes of the word that the record accessed, as they are now. */
static uint16_t hash_value(uintptr_t address,
                           const struct access_record *record)
{
    unsigned char bytes[4] = {0};
    uint32_t value;

    for (unsigned i = 0; i < 4; i++)
        if (record->threads >> (RECORD_BYTES_SHIFT + i) & 1)
            bytes[i] = ((const unsigned char *)address)[i];
    memcpy(&value, bytes, sizeof value);
    return (uint16_t)(value * 0x9e3779b1u >> 16);
}

/* --- writes of the same value --------------------------------------------- */

static void defer_write(const struct word_access *w,
                        const struct access_record *old,
                        struct access_record *own_record,
                        enum relation relation)
{
    if (deferred_count == MAX_DEFERRED)
        return;
    watch_defer();
    shared_shadow_disable();
    deferred[deferred_count++] = (struct deferred){
        .finding = make_race_finding(w->access, relation),
        .old = *old,
        .own_record = own_record,
        .address = w->address,
    };
}

void racecheck_run_deferred(void)
{
    const unsigned n = deferred_count;

    deferred_count = 0;
    for (unsigned i = 0; i < n; i++) {
        struct deferred *w = &deferred[i];
        struct access_record current = w->old;

        current.pc = (uint32_t)w->finding.pc;
        if (!(w->old.threads & RECORD_VALUES_DIFFER)
            && hash_value(w->address, &w->old) == w->old.value)
            continue;
        if (w->own_record)
            w->own_record->threads |= RECORD_VALUES_DIFFER;
        report_race(&w->finding, &w->old, &current);
    }
}

/* Another instruction is about to write: keep a hash of the value that the
 * last writer left in memory.
 * @return 0 when the writer, on another OS thread, may not have left it yet */
static int save_value(struct access_record *old, const struct word_access *w)
{
    uint16_t value;

    if (w->access->region != REGION_SHARED && !pending_store_wait(w->address))
        return 0;
    value = hash_value(w->address, old);
    old->value = value;
    old->threads &= ~(uint32_t)RECORD_LAST_WRITER;
    return 1;
}

/* --- one word ------------------------------------------------------------- */

/* Do two volatile accesses rely on the lanes of a warp running in lockstep?  A
 * lane that polls does not, nor do the stores of flags. */
static int is_lockstep(const struct word_access *w,
                       const struct access_record *old, enum relation relation)
{
    return relation == IN_WARP && w->access->region == REGION_SHARED
           && !((old->threads | w->current.threads)
                & (RECORD_ATOMIC | RECORD_POLLED))
           && !(old->threads & w->current.threads & RECORD_WRITE);
}

/* Did other blocks release the recorded access to this one?  The record names
 * only the latest of its blocks.  When that is this one, the others are taken
 * to be ordered if this block has acquired anything: no false alarm. */
static int is_acquired(const struct word_access *w,
                       const struct access_record *old)
{
    if (old->block == w->current.block) {
        const uint32_t differ = old->threads ^ w->current.threads;

        /* after its own atomic, a thread comes after the earlier ones */
        return hb_has_acquired(w->access->block)
               || (old->threads & RECORD_ATOMIC && !(differ & RECORD_THREAD));
    }
    return hb_happens_before(w->access->block, old);
}

/* Do the clocks of the block's warps tell if the record is ordered before this
 * access?  What orders a bulk copy is its thread that issued it. */
static int has_clocks(const struct word_access *w,
                      const struct access_record *old)
{
    return !(w->access->flags & ACCESS_COPIED)
           && block_order_tells(old, &w->current);
}

static int is_ordered(const struct word_access *w,
                      const struct access_record *old)
{
    return !block_order_gap(w->access->block, old, &w->current);
}

/* Report two conflicting accesses that race.
 * Returns 1 when they synchronize: old releases, the current one acquires. */
static int check_pair(const struct word_access *w, struct access_record *old,
                      int same)
{
    enum relation relation = relate_records(old, &w->current);
    struct softgpu_finding s;

    if (relation != BETWEEN_BLOCKS && has_clocks(w, old))
        relation = is_ordered(w, old) ? ORDERED : IN_BLOCK;
    if (relation == ORDERED)
        return 0;
    if (both_synchronizing(old, &w->current) && relation != BETWEEN_BLOCKS
        && old->threads & RECORD_WRITE
        && hb_releases_in_block(w->access->block, old))
        return 1;
    if (both_synchronizing(old, &w->current) && relation != BETWEEN_BLOCKS
        && !is_lockstep(w, old, relation))
        return 0;
    if (relation == BETWEEN_BLOCKS && is_acquired(w, old))
        return 0;
    if (both_synchronizing(old, &w->current) && relation == BETWEEN_BLOCKS
        && !((old->threads | w->current.threads) & RECORD_OF_BLOCK)
        && !torn_is_read(w, old))
        return 0;
    if (old->threads & w->current.threads & RECORD_WRITE
        && !((old->threads | w->current.threads) & RECORD_ATOMIC)) {
        if (!w->is_pending)
            defer_write(w, old, same ? old : NULL, relation);
        return 0;
    }
    s = make_race_finding(w->access, relation);
    report_race(&s, old, &w->current);
    return 0;
}

void racecheck_observe(const struct word_access *w)
{
    const struct access_record *r = &w->cell->head;
    uint32_t next = w->cell->next & ~CELL_WRITTEN;

    if (w->cell->tag != w->tag)
        return;
    for (; r; next = next ? w->pool->nodes[next].next : 0) {
        torn_observe(w, r);
        r = next ? &w->pool->nodes[next].record : NULL;
    }
}

static int is_same_instruction(const struct access_record *old,
                               const struct access_record *current)
{
    return old->pc == current->pc
           && !((old->threads ^ current->threads) & RECORD_KEY);
}

/* Add the access to its instruction's record, or replace that when all of its
 * threads are ordered before. */
static void update_record(const struct word_access *w,
                          struct access_record *old)
{
    if (old->block != w->current.block && !(old->threads & RECORD_BLOCKS)
        && hb_happens_before(w->access->block, old)) {
        *old = w->current;
        return;
    }
    if (has_clocks(w, old) && is_ordered(w, old))
        replace_record(old, &w->current, 0);
    else
        merge_record(old, &w->current);
    old->threads |= w->current.threads & RECORD_LAST_WRITER;
}

static void append_record(const struct word_access *w)
{
    struct shadow_cell *cell = w->cell;
    uint32_t at = record_pool_alloc(w->pool);

    if (stream_race_possible && w->access->memory)
        stream_race_bytes(w);
    if (!at)
        return;
    watchdog_progress();
    w->pool->nodes[at].record = w->current;
    w->pool->nodes[at].next = cell->next & ~CELL_WRITTEN;
    cell->next = at | (cell->next & CELL_WRITTEN);
}

/* The access acquires what another thread of the block released. */
static void begin_acquired_interval(struct word_access *w)
{
    struct watch_block *block = w->access->block;
    const int is_fenced = block->first_fence != 0;

    hb_begin_acquired_interval(block);
    if (w->access->flags & ACCESS_RELEASE) { /* and releases, too */
        hb_fence(block, FENCE_DEVICE | FENCE_RELEASE);
        w->current.sequence = block->sequence;
    } else if (is_fenced && w->current.threads & RECORD_WRITE) {
        block->first_fence = w->current.sequence; /* as does its fence */
    }
    w->current.interval = block->interval;
    if (w->access->region == REGION_SHARED)
        w->cell->tag = w->tag = w->current.interval;
}

/* Are the cell's records, of earlier intervals of the block, compared with the
 * access?  Those of device memory are of the same launch. */
static int is_compared(const struct word_access *w)
{
    return w->access->region == REGION_SHARED
           && w->cell->tag >= w->access->block->ordered_interval;
}

static void check_word(struct word_access *w)
{
    struct shadow_cell *cell = w->cell;
    struct access_record *old = &cell->head, *own_record = NULL;
    uint32_t next = cell->next & ~CELL_WRITTEN;
    const int writes = (w->current.threads & RECORD_WRITE) != 0;
    int length = 0, synchronizes = 0;

    cas_guess_access(w);
    if (w->access->memory)
        late_value_access(w);
    if (is_compared(w)) {
        cell->tag = w->tag;
    } else if (cell->tag != w->tag) {
        watchdog_progress();
        if (stream_race_possible && w->access->memory)
            stream_race_word(w);
        cell_reset(cell, &w->current, w->tag);
        return;
    }
    for (; old; length++) {
        const int same = is_same_instruction(old, &w->current);

        w->is_pending = 0;
        if (writes && old->threads & RECORD_LAST_WRITER) {
            torn_observe(w, old); /* an update reads, too */
            w->is_pending = !save_value(old, w);
        }
        if (records_conflict(old, &w->current)) {
            synchronizes |= check_pair(w, old, same);
            torn_observe(w, old);
        }
        own_record = same ? old : own_record;
        old = next ? &w->pool->nodes[next].record : NULL;
        next = next ? w->pool->nodes[next].next : 0;
    }
    cell->next |= writes ? CELL_WRITTEN : 0;
    if (synchronizes)
        begin_acquired_interval(w);
    if (cell->tag == w->tag && own_record)
        update_record(w, own_record);
    else if (length < MAX_RECORDS)
        append_record(w);
}

void racecheck_word(struct word_access *w)
{
    const uint32_t kind = w->current.threads & (RECORD_WRITE | RECORD_ATOMIC);

    check_word(w);
    if (kind == RECORD_WRITE && w->access->region != REGION_SHARED)
        pending_store_begin(w->address);
}
