/* SPDX-License-Identifier: MIT */
/* Each block remembers, for the blocks that it has read from, the latest write
 * that it has seen. */
#include "torn_read.h"

#include <stdlib.h>

#include "happens_before.h"
#include "race_rules.h"

enum { SLOTS = 64 };

struct torn_table {
    struct observation slot[SLOTS]; /* by the other block's number */
    struct observation *latest;
    uint32_t polls[RECORD_THREAD + 1]; /* by thread: first_interval of the block
                                          if its next access is polled */
};

struct torn_table *torn_new_table(void)
{
    return calloc(1, sizeof(struct torn_table));
}

static uint32_t *poll_of(const struct watch_block *block)
{
    return &block->observed->polls[softgpu_tls.thread - block->block->threads];
}

void torn_begin_poll(void)
{
    const struct watch_block *block = watch_current_block();

    if (block)
        *poll_of(block) = block->first_interval;
}

uint32_t torn_take_poll(const struct watch_block *block)
{
    uint32_t *poll = poll_of(block);
    const int is_polled = *poll == block->first_interval;

    *poll = 0;
    return is_polled ? ACCESS_POLLED : 0;
}

/* Both write and, by the running thread, read are atomic or volatile; and the
 * value is that of this write. */
static int is_handed_over(const struct word_access *w,
                          const struct access_record *old)
{
    return both_synchronizing(old, &w->current)
           && old->threads & RECORD_WRITE && old->threads & RECORD_LAST_WRITER
           && old->block != w->current.block;
}

/* Does the running thread know of what was seen? */
static int is_known(const struct word_access *w, const struct observation *seen)
{
    const struct watch_block *block = w->access->block;
    const uint32_t thread = w->current.threads & RECORD_THREAD;

    return seen->interval >= block->first_interval
           && (seen->interval < block->interval
               || !((seen->thread ^ thread) & RECORD_WARP));
}

void torn_observe(const struct word_access *w, const struct access_record *old)
{
    struct observation *seen =
        &w->access->block->observed->slot[old->block % SLOTS];

    if (!is_handed_over(w, old))
        return;
    if (is_known(w, seen) && seen->write.block == old->block
        && seen->write.sequence > old->sequence)
        return;
    *seen = (struct observation){
        .address = w->address,
        .access_address = w->access->address,
        .write = *old,
        .thread = w->current.threads & RECORD_THREAD,
        .interval = w->current.interval,
        .read_pc = w->current.pc,
    };
    w->access->block->observed->latest = seen;
}

struct observation *torn_latest(const struct word_access *w)
{
    struct observation *seen = w->access->block->observed->latest;

    return seen && is_known(w, seen) ? seen : NULL;
}

int torn_is_written_before(const struct access_record *first,
                           const struct access_record *second)
{
    const uint32_t differ = first->threads ^ second->threads;

    if (first->sequence >= second->sequence)
        return 0;
    if (first->interval != second->interval)
        return 1;
    if ((first->threads | second->threads) & RECORD_WARPS
        || differ & RECORD_WARP)
        return 0;
    return first->warp_interval != second->warp_interval
           || !((first->threads | second->threads) & RECORD_LANES
                || differ & RECORD_THREAD);
}

/* Did the block write the word, too, before the write that was seen?  Then that
 * one published a value which `old` replaced. */
static int was_published(const struct word_access *w,
                         const struct access_record *old,
                         const struct observation *seen)
{
    const struct access_record *r = &w->cell->head;
    uint32_t next = w->cell->next & ~CELL_WRITTEN;

    for (;;) {
        if (r != old && r->threads & RECORD_WRITE && r->block == old->block
            && torn_is_written_before(r, &seen->write))
            return 1;
        if (!next)
            return 0;
        r = &w->pool->nodes[next].record;
        next = w->pool->nodes[next].next;
    }
}

int torn_is_read(const struct word_access *w, const struct access_record *old)
{
    const struct observation *seen =
        &w->access->block->observed->slot[old->block % SLOTS];

    if (!is_handed_over(w, old) || w->current.threads & RECORD_WRITE
        || w->access->flags & ACCESS_ACQUIRE /* polls for what is to come */
        || (old->threads & RECORD_BLOCKS && !(old->threads & RECORD_VOLATILE)))
        return 0; /* an update, or a total that many blocks update */
    if (!is_known(w, seen) || seen->write.block != old->block
        || seen->address == w->address || seen->write.pc == old->pc)
        return 0;
    /* One access reads both words, in ascending order.  What an earlier
     * execution of it, of a polling loop, saw last is its last word. */
    if (seen->read_pc == w->current.pc)
        return seen->access_address == w->access->address
               && seen->address < w->address;
    if (w->access->flags & ACCESS_POLLED)
        return 0;
    return torn_is_written_before(old, &seen->write)
           || was_published(w, old, seen);
}
