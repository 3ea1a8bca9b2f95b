/* SPDX-License-Identifier: MIT */
/* Candidates are kept in a table until the grid ends; most are dropped. */
#include "late_value.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "common/softgpu/core/source_line.h"
#include "happens_before.h"
#include "race_report.h"
#include "race_rules.h"
#include "torn_read.h"

enum { MOST = 64, LOADS = 256, POLLS = 64 };

/** A load of a word that has no value of this launch yet. */
struct candidate {
    uintptr_t word, flag;      /**< their addresses */
    struct access_record read; /**< of the word */
    struct access_record write; /**< of the flag, that the thread has seen */
    uint32_t poll_pc;           /**< that saw it */
    int is_stored;              /**< the word has got its value */
    struct softgpu_finding finding; /**< at that store */
};

/** The latest synchronizing load of a thread. */
struct load {
    uintptr_t address;
    uint32_t block, thread, pc;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct candidate candidates[MOST];
static _Atomic unsigned count;
static struct load loads[LOADS]; /* by a hash of block and thread */
static uint32_t polls[POLLS];    /* by a hash: pc of loads that polled */

static int is_poll(uint32_t pc)
{
    return polls[pc * 0x9e3779b1u >> 26] == pc;
}

/* Does the thread load the word that it has loaded last, at the same place? */
static void note_poll(const struct word_access *w)
{
    const uint32_t thread = w->current.threads & RECORD_THREAD;
    const struct load now = {w->address, w->current.block, thread,
                             w->current.pc};
    struct load *last = &loads[(w->current.block * 31 + thread) % LOADS];

    if (last->address == now.address && last->block == now.block
        && last->thread == thread && last->pc == now.pc)
        polls[now.pc * 0x9e3779b1u >> 26] = now.pc;
    *last = now;
}

/* Has this block, or if it is `any` a block, stored the word in this launch? */
static int is_stored_by(const struct word_access *w, uint32_t block, int any)
{
    const struct access_record *r = &w->cell->head;
    uint32_t next = w->cell->next & ~CELL_WRITTEN;

    if (w->cell->tag != w->tag || !(w->cell->next & CELL_WRITTEN))
        return 0;
    while (!(r->threads & RECORD_WRITE && (any || r->block == block))) {
        if (!next)
            return 0;
        r = &w->pool->nodes[next].record;
        next = w->pool->nodes[next].next;
    }
    return 1;
}

static void drop(unsigned i)
{
    candidates[i] = candidates[count - 1];
    atomic_fetch_sub(&count, 1);
}

/* The block loads a candidate again, or another word of that block. */
static void drop_loaded(const struct word_access *w)
{
    for (unsigned i = count; i-- > 0;)
        if (candidates[i].read.block == w->current.block
            && (candidates[i].word == w->address
                || is_stored_by(w, candidates[i].write.block, 0)))
            drop(i);
}

static void add(const struct word_access *w, const struct observation *seen)
{
    if (count == MOST)
        return;
    candidates[count] = (struct candidate){
        .word = w->address, .flag = seen->address, .read = w->current,
        .write = seen->write, .poll_pc = seen->read_pc};
    atomic_fetch_add(&count, 1);
}

static void load(const struct word_access *w)
{
    const int is_strong =
        (w->current.threads & (RECORD_ATOMIC | RECORD_VOLATILE)) != 0;
    struct observation *seen = torn_latest(w);

    drop_loaded(w);
    if (seen && seen->address != w->address
        && is_stored_by(w, seen->write.block, 0))
        seen->is_used = 1;
    if (!is_strong)
        return;
    note_poll(w);
    if (seen && !seen->is_used && seen->address != w->address
        && !(seen->write.threads & RECORD_BLOCKS)
        && w->address == (w->access->address & ~(uintptr_t)3)
        && !is_stored_by(w, 0, 1))
        add(w, seen);
}

/* The word gets its value, or the flag another one. */
static void store(const struct word_access *w)
{
    for (unsigned i = count; i-- > 0;) {
        struct candidate *c = &candidates[i];

        if (c->flag == w->address) {
            drop(i);
            continue;
        }
        if (c->word != w->address)
            continue;
        if (c->is_stored || w->current.block != c->write.block
            || !torn_is_written_before(&c->write, &w->current)
            || hb_happens_before(w->access->block, &c->read)) {
            drop(i);
            continue;
        }
        c->is_stored = 1;
        c->finding = make_race_finding(w->access, BETWEEN_BLOCKS);
        c->finding.other = race_full_pc(c->read.pc);
        c->finding.atomic = 1;
    }
}

void late_value_access(const struct word_access *w)
{
    const int is_store = (w->current.threads & RECORD_WRITE) != 0;

    if (is_store ? !count : !count && !torn_latest(w)
            && !(w->current.threads & (RECORD_ATOMIC | RECORD_VOLATILE)))
        return;
    pthread_mutex_lock(&lock);
    if (is_store)
        store(w);
    else
        load(w);
    pthread_mutex_unlock(&lock);
}

void late_value_end_grid(void)
{
    struct source_line flag;

    for (unsigned i = 0; i < count; i++) {
        const struct candidate *c = &candidates[i];

        /* one function may load both */
        if (!c->is_stored || !is_poll(c->poll_pc)
            || (c->read.pc != c->poll_pc && is_poll(c->read.pc)))
            continue;
        softgpu_source_line(race_full_pc(c->write.pc), &flag);
        softgpu_report_finding(
            &c->finding, "stored after its flag, which line %d stores: another "
            "block has seen the flag, and has read this word before its store: "
            "the value comes first, then a __threadfence(), then the flag",
            flag.line);
    }
    count = 0;
    memset(loads, 0, sizeof loads);
    memset(polls, 0, sizeof polls);
}
