/* SPDX-License-Identifier: MIT */
/* Watcher: two accesses to one word with nothing between them that orders
 * them.  Two writes of the same value are let be: what they wrote is known
 * only after the second store, so they are judged at the next access. */
#include <string.h>

#include "judge.h"
#include "order.h"
#include "race.h"

/** A write after another's write, waiting for its value. */
struct pending {
    struct softgpu_sighting seen;
    const void *at;
    uint32_t bytes; /* 0: none waits */
    char before[16], words[40];
};

static SOFTGPU_TLS struct pending pending;

extern char __executable_start;

static uint32_t short_code(uintptr_t code)
{
    return (uint32_t)(code - (uintptr_t)&__executable_start);
}

static uintptr_t long_code(uint32_t code)
{
    return code ? (uintptr_t)&__executable_start + code : 0;
}

void race_settle(void)
{
    struct pending *p = &pending;

    if (p->bytes && memcmp(p->at, p->before, p->bytes) != 0)
        softgpu_find(&p->seen, "%s of another value than another thread's "
                     "write, in no order", p->words);
    p->bytes = 0;
}

static void put_off(const struct access *a,
                    const struct softgpu_sighting *seen)
{
    race_settle();
    pending.seen = *seen;
    pending.at = (const void *)a->address;
    pending.bytes = a->bytes;
    memcpy(pending.before, pending.at, a->bytes);
    snprintf(pending.words, sizeof pending.words, "%s", watch_words(a));
}

/* Who accesses, as it is remembered. */
static struct party party_now(const struct access *a)
{
    const struct softgpu_block *b = a->block->block;
    const uint32_t thread = index_of(b, softgpu_tls.thread);
    int shared = a->region == REGION_SHARED;
    struct party now =
        party_of(shared ? a->block->serial : order_serial(a->block),
                 atomic_load_explicit(&b->epoch, memory_order_relaxed),
                 thread);

    now.step = shared ? b->warps[thread / WARP_LANES].steps
                      : a->block->fences;
    now.code = short_code(a->code);
    if (a->flags & (ACCESS_ATOMIC | ACCESS_VOLATILE))
        now.when |= PARTY_ATOMIC;
    return now;
}

static enum softgpu_finding_kind kind_of(const struct access *a,
                                         enum relation relation)
{
    if (relation == IN_WARP)
        return SOFTGPU_FIND_LOCKSTEP;
    if (a->region == REGION_SHARED)
        return SOFTGPU_FIND_RACE_SHARED;
    return relation == BETWEEN_BLOCKS ? SOFTGPU_FIND_RACE_BLOCKS
                                      : SOFTGPU_FIND_RACE_GLOBAL;
}

static void find(const struct access *a, enum relation relation,
                 const struct party *other, int both_write)
{
    struct softgpu_sighting seen = watch_sighting(a, kind_of(a, relation));
    uint32_t thread = party_thread(other);

    seen.other = long_code(other->code);
    if (both_write && !(a->flags & ACCESS_ATOMIC)) {
        put_off(a, &seen);
        return;
    }
    softgpu_find(&seen, "%s, not ordered with the %s by thread %u of %s",
                 watch_words(a), both_write ? "write" : "access", thread,
                 relation == BETWEEN_BLOCKS ? "another block"
                                            : "the same block");
}

void race_judge(const struct access *a, struct cell *cell)
{
    struct party now = party_now(a), other = cell->writer;
    struct party writer = cell->writer;
    uint32_t first = a->region == REGION_SHARED ? a->block->serial
                                                : order_first(a->block);
    enum relation relation;

    if (a->flags & ACCESS_WRITE)
        relation = cell_write(cell, &now, first, &other);
    else
        relation = cell_read(cell, &now, first);
    if (relation == ORDERED)
        return;
    if (relation == BETWEEN_BLOCKS && order_knows(a->block, &other))
        return;
    find(a, relation, &other,
         a->flags & ACCESS_WRITE && other.when == writer.when
             && other.code == writer.code && other.block == writer.block);
}
