/* SPDX-License-Identifier: MIT */
/* Each block remembers, for the blocks that it has read from, the latest write
 * that it has seen. */
#include "torn_read.h"

#include <pthread.h>
#include <stdlib.h>

#include "happens_before.h"
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

/* The last write of a __device__ variable in a launch. */
struct variable_write {
    uintptr_t address;
    uint32_t tag, block, sequence, pc;
};

enum { VARIABLES = 256 };
static struct variable_write variable_writes[VARIABLES];
static pthread_mutex_t variables_lock = PTHREAD_MUTEX_INITIALIZER;

/* Remember what the variable told. */
static void observe_variable(const struct access *a,
                             const struct variable_write *last)
{
    struct observation *seen =
        &a->block->observed->slot[last->block % SLOTS];

    *seen = (struct observation){
        .address = a->address,
        .access_address = a->address,
        .block = last->block,
        .sequence = last->sequence,
        .thread = (uint32_t)(softgpu_tls.thread - a->block->block->threads),
        .interval = a->block->interval,
        .read_pc = (uint32_t)a->pc,
        .write_pc = last->pc,
    };
}

void torn_variable_access(const struct access *a)
{
    struct variable_write *last =
        &variable_writes[(a->address >> 2) % VARIABLES];
    const uint32_t block = (uint32_t)a->block->block->linear;
    const uint32_t tag = hb_tag(a->block);
    const int reads = a->flags & ACCESS_ATOMIC || !(a->flags & ACCESS_WRITE);

    pthread_mutex_lock(&variables_lock);
    if (reads && last->address == a->address && last->tag == tag
        && last->block != block)
        observe_variable(a, last);
    if (a->flags & ACCESS_WRITE)
        *last = (struct variable_write){a->address, tag, block,
                                        a->block->sequence, (uint32_t)a->pc};
    pthread_mutex_unlock(&variables_lock);
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
    /* One access reads both words, in ascending order.  What an earlier
     * execution of it, of a polling loop, saw last is its last word. */
    if (seen->read_pc == w->current.pc)
        return seen->access_address == w->access->address
               && seen->address < w->address;
    return old->sequence < seen->sequence || was_published(w, old, seen);
}
