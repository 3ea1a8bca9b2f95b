/* SPDX-License-Identifier: MIT */
/* Watcher: two accesses to one word with nothing between them that orders
 * them.  Two writes of the same value are let be: what the second one wrote
 * is known only after its store, so it is judged at the next access. */
#include "race.h"

#include <string.h>

#include "lines.h"
#include "order.h"
#include "progress.h"
#include "words.h"

enum { WAITING = 16, RECORDS = 24 }; /* of one word; more are forgotten */

/** A write after another's write, waiting for its value. */
struct waiting {
    struct softgpu_sighting sighting;
    struct seen old;
    struct seen *own; /* the record of this place, when old is it, or NULL */
    uintptr_t address;
    enum region region;
    enum relation relation;
};

static SOFTGPU_TLS struct waiting waiting[WAITING];
static SOFTGPU_TLS unsigned race_waiting;

extern char __executable_start;

static uintptr_t whole_code(uint32_t code)
{
    uintptr_t base = (uintptr_t)&__executable_start;

    return base + (uint32_t)(code - (uint32_t)base);
}

/* What the bytes of a word that a record names hold, in 16 bits. */
static uint16_t value_at(uintptr_t address, const struct seen *seen)
{
    unsigned char bytes[4] = {0};
    uint32_t value;

    for (unsigned i = 0; i < 4; i++)
        if (seen->who >> (SEEN_BYTES_SHIFT + i) & 1)
            bytes[i] = ((const unsigned char *)address)[i];
    memcpy(&value, bytes, sizeof value);
    return (uint16_t)(value * 0x9e3779b1u >> 16);
}

static enum softgpu_finding_kind kind_of(enum region region,
                                         enum relation relation)
{
    if (relation == IN_WARP)
        return SOFTGPU_FIND_LOCKSTEP;
    if (region == REGION_SHARED)
        return SOFTGPU_FIND_RACE_SHARED;
    return relation == BETWEEN_BLOCKS ? SOFTGPU_FIND_RACE_BLOCKS
                                      : SOFTGPU_FIND_RACE_GLOBAL;
}

static const char *deed(const struct seen *seen)
{
    if (seen->who & SEEN_ATOMIC)
        return "atomic";
    return seen->who & SEEN_WRITE ? "write" : "read";
}

/* The report names first what stands later in the source, whoever ran first:
 * swap when that is the old access. */
static int is_later(uintptr_t a, uintptr_t b)
{
    struct source_line x, y;
    int files;

    softgpu_source_line(a, &x);
    softgpu_source_line(b, &y);
    files = strcmp(x.file, y.file);
    if (files)
        return files > 0;
    return x.line != y.line ? x.line > y.line : x.column > y.column;
}

static uint3 place_in(uint64_t linear, dim3 extent)
{
    return (uint3){(unsigned)(linear % extent.x),
                   (unsigned)(linear / extent.x % extent.y),
                   (unsigned)(linear / extent.x / extent.y)};
}

static void say(const struct softgpu_sighting *s, const struct seen *first,
                const struct seen *second, uint3 other)
{
    static const char *const between[] = {
        [SOFTGPU_FIND_RACE_SHARED] = "no barrier between them",
        [SOFTGPU_FIND_RACE_GLOBAL] = "no barrier between them",
        [SOFTGPU_FIND_RACE_BLOCKS] = "nothing orders blocks here",
        [SOFTGPU_FIND_LOCKSTEP] = "lanes of one warp, no __syncwarp between",
    };

    char who[64] = "another thread"; /* whose name was not kept */

    if (s->kind == SOFTGPU_FIND_RACE_BLOCKS || other.x != s->thread.x
        || other.y != s->thread.y || other.z != s->thread.z)
        snprintf(who, sizeof who, "thread (%u,%u,%u)", other.x, other.y,
                 other.z);
    softgpu_find(s, "%s here, %s of the same word by %s of %s: %s",
                 deed(first), deed(second), who,
                 s->kind == SOFTGPU_FIND_RACE_BLOCKS ? "another block"
                                                     : "the same block",
                 between[s->kind]);
}

/* Find it, with the running thread as the second party. */
static void find(struct softgpu_sighting *s, const struct seen *old,
                 const struct seen *now)
{
    const struct softgpu_grid *grid = softgpu_tls.block->worker->run->grid;
    uint3 there = place_in(old->who & SEEN_THREAD, grid->block);
    uint3 here = s->thread;

    s->other = whole_code(old->code);
    s->atomic = ((old->who | now->who) & SEEN_ATOMIC) != 0;
    if (!is_later(s->other, s->code)) {
        say(s, now, old, there);
        return;
    }
    s->other = s->code;
    s->code = whole_code(old->code);
    s->thread = there;
    if (s->kind == SOFTGPU_FIND_RACE_BLOCKS)
        s->block = place_in(old->block, grid->grid);
    say(s, old, now, here);
}

static struct softgpu_sighting sighting_of(const struct word_access *w,
                                           enum relation relation)
{
    return watch_sighting(w->access, kind_of(w->access->region, relation));
}

/* --- writes of the same value ----------------------------------------------- */

static void wait_for_value(const struct word_access *w, const struct seen *old,
                           struct seen *own, enum relation relation)
{
    if (race_waiting == WAITING)
        return;
    watch_unsettled = 1;
    words_stop();
    waiting[race_waiting++] = (struct waiting){
        .sighting = sighting_of(w, relation), .old = *old, .own = own,
        .address = w->address, .region = w->access->region,
        .relation = relation,
    };
}

void race_settle(void)
{
    const unsigned n = race_waiting;

    race_waiting = 0;
    for (unsigned i = 0; i < n; i++) {
        struct waiting *w = &waiting[i];
        struct seen now = w->old;

        now.code = (uint32_t)w->sighting.code;
        if (!(w->old.who & SEEN_MIXED)
            && value_at(w->address, &w->old) == w->old.value)
            continue;
        if (w->own)
            w->own->who |= SEEN_MIXED;
        find(&w->sighting, &w->old, &now);
    }
}

/* Another write comes: keep the value that the last one left. */
static void keep_value(struct seen *old, uintptr_t address)
{
    uint16_t value = value_at(address, old);

    old->value = value;
    old->who &= ~(uint32_t)SEEN_LAST;
}

/* --- one word ---------------------------------------------------------------- */

/* Two volatile accesses in one warp, as if lanes ran in lock-step. */
static int is_lockstep(const struct word_access *w, const struct seen *old,
                       enum relation relation)
{
    return relation == IN_WARP && w->access->region == REGION_SHARED
           && !((old->who | w->now.who) & SEEN_ATOMIC);
}

/* Is what other blocks did at that place ordered before?  Of several blocks
 * only the latest is on record; when that is this one, the benefit of the
 * doubt goes to a block that was handed anything. */
static int is_known(const struct word_access *w, const struct seen *old)
{
    if (old->block == w->now.block)
        return w->access->block->acquired != NULL;
    return order_knows(w->access->block, old);
}

/* Old and now conflict: is that a race?
 * Returns 1 when the old one hands over to the new one. */
static int judge_pair(struct word_access *w, struct seen *old, int same)
{
    enum relation relation = seen_relate(old, &w->now);
    struct softgpu_sighting s;

    if (relation == ORDERED)
        return 0;
    if (seen_gentle(old, &w->now) && relation != BETWEEN_BLOCKS
        && old->who & SEEN_WRITE
        && order_hands_over(w->access->block, old))
        return 1;
    if (seen_gentle(old, &w->now) && !is_lockstep(w, old, relation))
        return 0;
    if (relation == BETWEEN_BLOCKS && is_known(w, old))
        return 0;
    if (old->who & w->now.who & SEEN_WRITE
        && !((old->who | w->now.who) & SEEN_ATOMIC)) {
        wait_for_value(w, old, same ? old : NULL, relation);
        return 0;
    }
    s = sighting_of(w, relation);
    find(&s, old, &w->now);
    return 0;
}

static int is_same_place(const struct seen *old, const struct seen *now)
{
    return old->code == now->code && !((old->who ^ now->who) & SEEN_KEY);
}

/* A record that all its threads are ordered before: take its place. */
static void take_in(const struct word_access *w, struct seen *old)
{
    if (old->block != w->now.block && !(old->who & SEEN_BLOCKS)
        && order_knows(w->access->block, old)) {
        *old = w->now;
        return;
    }
    seen_merge(old, &w->now);
    old->who |= w->now.who & SEEN_LAST;
}

static void append(const struct word_access *w)
{
    struct cell *cell = w->cell;
    uint32_t at = pool_take(w->pool);

    if (!at)
        return;
    progress_made();
    w->pool->links[at].seen = w->now;
    w->pool->links[at].next = cell->next & ~CELL_WRITTEN;
    cell->next = at | (cell->next & CELL_WRITTEN);
}

/* All threads of the block count as ordered from here. */
static void go_on_after(struct word_access *w)
{
    order_interval(w->access->block);
    if (w->access->flags & ACCESS_RELEASE) { /* and hands over in its turn */
        order_fence(w->access->block);
        w->now.fences = w->access->block->fences;
    }
    w->now.interval = w->access->block->interval;
    if (w->access->region != REGION_SHARED)
        return;
    w->tag = w->now.interval;
    cell_begin(w->cell, &w->now, w->tag);
}

/* The plain read that this OS thread judged last. */
static SOFTGPU_TLS struct {
    const struct softgpu_thread *thread;
    uintptr_t address, code;
    uint32_t first; /* interval of its block: tells blocks apart */
} last_read;

/* old = *p; do ... while (atomicCAS(p, ...)): the read is only a first guess,
 * which the atomic proves. */
static void note_guess(const struct word_access *w)
{
    if (!(w->now.who & (SEEN_WRITE | SEEN_ATOMIC))) {
        last_read.thread = softgpu_tls.thread;
        last_read.address = w->address;
        last_read.code = w->access->code;
        last_read.first = w->access->block->first;
    } else if (w->now.who & SEEN_ATOMIC
               && last_read.thread == softgpu_tls.thread
               && last_read.first == w->access->block->first
               && last_read.address == w->address) {
        softgpu_excuse(last_read.code);
        last_read.thread = NULL;
    }
}

void race_judge(struct word_access *w)
{
    struct cell *cell = w->cell;
    struct seen *old = &cell->head, *mine = NULL;
    uint32_t next = cell->next & ~CELL_WRITTEN;
    const int writes = (w->now.who & SEEN_WRITE) != 0;
    int length = 0, handed = 0;

    note_guess(w);
    if (cell->tag != w->tag) {
        progress_made();
        cell_begin(cell, &w->now, w->tag);
        return;
    }
    for (; old; length++) {
        const int same = is_same_place(old, &w->now);

        if (writes && old->who & SEEN_LAST)
            keep_value(old, w->address);
        if (seen_conflict(old, &w->now))
            handed |= judge_pair(w, old, same);
        mine = same ? old : mine;
        old = next ? &w->pool->links[next].seen : NULL;
        next = next ? w->pool->links[next].next : 0;
    }
    cell->next |= writes ? CELL_WRITTEN : 0;
    if (handed)
        go_on_after(w);
    if (cell->tag == w->tag && mine)
        take_in(w, mine);
    else if (!handed && length < RECORDS)
        append(w);
}
