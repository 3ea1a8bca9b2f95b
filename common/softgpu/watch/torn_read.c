/* SPDX-License-Identifier: MIT */
/* Each block remembers, for the blocks that it has read from, the latest write
 * that it has seen. */
#include "torn_read.h"

#include <stdlib.h>

#include "race_rules.h"

enum { SLOTS = 64 };

/** The latest write of another block that a thread has seen. */
struct observation {
    uintptr_t address;        /**< of the word */
    uintptr_t access_address; /**< of the access that read it */
    uint32_t block, sequence; /**< of the write */
    uint32_t thread, interval; /**< of the read */
    uint32_t read_pc, write_pc;
};

struct torn_table {
    struct observation slot[SLOTS]; /* by the other block's number */
};

struct torn_table *torn_new_table(void)
{
    return calloc(1, sizeof(struct torn_table));
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
    if (is_known(w, seen) && seen->block == old->block
        && seen->sequence > old->sequence)
        return;
    *seen = (struct observation){
        .address = w->address,
        .access_address = w->access->address,
        .block = old->block,
        .sequence = old->sequence,
        .thread = w->current.threads & RECORD_THREAD,
        .interval = w->current.interval,
        .read_pc = w->current.pc,
        .write_pc = old->pc,
    };
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
            && r->sequence < seen->sequence)
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
        || (old->threads & RECORD_BLOCKS && !(old->threads & RECORD_VOLATILE)))
        return 0; /* an update, or a total that many blocks update */
    if (!is_known(w, seen) || seen->block != old->block
        || seen->address == w->address || seen->write_pc == old->pc)
        return 0;
    if (seen->read_pc == w->current.pc) /* one access reads both words */
        return seen->access_address == w->access->address;
    return old->sequence < seen->sequence || was_published(w, old, seen);
}
