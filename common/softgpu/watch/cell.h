/* SPDX-License-Identifier: MIT */
/** @file
 *  What is remembered of a word of memory since the last thing that ordered
 *  all who share it: one record for each place in the code that touched it.
 *
 *  The rule for a race, from the CUDA memory model: two accesses to one word
 *  by different threads, at least one a plain write, with nothing that orders
 *  them.  In a block, a barrier orders; in a warp, __syncwarp too; between
 *  blocks, a fence and an atomic (order.h), a grid barrier, the next launch.
 *
 *  The trick: a record says of its threads only "one", "lanes of one warp",
 *  "several warps", "several blocks".  That is all that it takes to know
 *  whether *some* thread of it conflicts with the one that comes now, so the
 *  pairs of lines that are found do not depend on who ran first.
 */
#ifndef SOFTGPU_CELL_H
#define SOFTGPU_CELL_H

#include <stdbool.h>
#include <stdint.h>

/** Who touched a word from one place in the code: 24 bytes. */
struct seen {
    uint32_t code;     /**< return address, its lower half */
    uint32_t who;      /**< thread, and SEEN_... */
    uint32_t block;    /**< number in the grid; 0 in shared memory */
    uint32_t interval; /**< of that block: struct watch_block */
    uint32_t fences;   /**< that block had made */
    uint16_t step;     /**< how many __syncwarp the thread's warp had made */
    uint16_t value;    /**< hash of what was written, once another writes */
};

enum {
    SEEN_THREAD = 0x3ff, /**< index of the first thread, or the latest */
    SEEN_WRITE = 1 << 10,
    SEEN_ATOMIC = 1 << 11,
    SEEN_VOLATILE = 1 << 12,
    SEEN_BYTES_SHIFT = 13, /**< which bytes of the word: four bits */
    SEEN_BYTES = 0xf << SEEN_BYTES_SHIFT,
    SEEN_LANES = 1 << 17,  /**< several lanes of the warp, in this step */
    SEEN_WARPS = 1 << 18,  /**< several warps of the block */
    SEEN_BLOCKS = 1 << 19, /**< several blocks */
    SEEN_LAST = 1 << 20,   /**< wrote last: its value is in memory */
    SEEN_MIXED = 1 << 21,  /**< wrote several values */
    SEEN_UNKNOWN = 1 << 22, /**< read what nothing had written */
    /** What makes records of one place different. */
    SEEN_KEY = SEEN_WRITE | SEEN_ATOMIC | SEEN_VOLATILE | SEEN_BYTES
               | SEEN_UNKNOWN,
    SEEN_WARP = SEEN_THREAD & ~31
};

/** A word: 32 bytes. */
struct cell {
    struct seen head; /**< the first record */
    uint32_t tag;     /**< the interval, or launch, that all this is of */
    uint32_t next;    /**< further records: index in the pool; CELL_WRITTEN */
};
/** In cell.next: one of the records is a write. */
#define CELL_WRITTEN 0x80000000u

/** A further record of a word. */
struct link {
    struct seen seen;
    uint32_t next; /**< index in the pool, 0 at the end */
};

/** How two accesses stand to each other. */
enum relation {
    ORDERED,       /**< no race */
    IN_WARP,       /**< a race, unless lanes run in lock-step */
    IN_BLOCK,      /**< a race between warps of a block */
    BETWEEN_BLOCKS /**< a race, unless order.h knows of a hand-over */
};

/** Does a read or write by `now` tell nothing that the head does not say?
 *  @param tag  of the interval or launch that `now` belongs to */
static inline bool cell_covers(const struct cell *cell, const struct seen *now,
                               uint32_t tag)
{
    const struct seen *head = &cell->head;
    const uint32_t differ = head->who ^ now->who;

    if (cell->tag != tag || head->code != now->code || (differ & SEEN_KEY))
        return false;
    if (head->block != now->block || head->interval != now->interval)
        return (head->who & (SEEN_BLOCKS | SEEN_WRITE)) == SEEN_BLOCKS
               && !(cell->next & CELL_WRITTEN);
    if (head->who & SEEN_WRITE)
        return !(differ & ~SEEN_LAST) && head->step == now->step;
    return head->who & SEEN_WARPS
           || (!(differ & SEEN_WARP) && head->step == now->step
               && (head->who & SEEN_LANES || !(differ & SEEN_THREAD)));
}

/** Do two accesses conflict, if nothing orders them? */
static inline bool seen_conflict(const struct seen *old, const struct seen *now)
{
    return old->who & now->who & SEEN_BYTES
           && (old->who | now->who) & SEEN_WRITE;
}

/** Both of them atomic or volatile: those wait for each other by design. */
static inline bool seen_gentle(const struct seen *old, const struct seen *now)
{
    enum { EITHER = SEEN_ATOMIC | SEEN_VOLATILE };

    return old->who & EITHER && now->who & EITHER;
}

/** How the access stands to the threads of a record. */
static inline enum relation seen_relate(const struct seen *old,
                                        const struct seen *now)
{
    if (old->block != now->block || old->who & SEEN_BLOCKS)
        return BETWEEN_BLOCKS;
    if (old->interval != now->interval)
        return ORDERED;
    if (old->who & SEEN_WARPS || (old->who ^ now->who) & SEEN_WARP)
        return IN_BLOCK;
    if (old->step != now->step)
        return ORDERED;
    return old->who & SEEN_LANES || (old->who ^ now->who) & SEEN_THREAD
               ? IN_WARP
               : ORDERED;
}

/** The record takes the access in: same place and kind. */
static inline void seen_merge(struct seen *old, const struct seen *now)
{
    const uint32_t kept = old->who & (SEEN_BLOCKS | SEEN_LAST | SEEN_MIXED);
    const uint16_t value = old->value;

    old->fences = now->fences; /* what hands over must be after the latest */
    if (old->block != now->block) {
        *old = *now;
        old->who |= kept | SEEN_BLOCKS;
        old->value = value;
    } else if (old->interval != now->interval) {
        *old = *now;
        old->who |= kept;
        old->value = value;
    } else if (old->who & SEEN_WARPS) {
        return;
    } else if ((old->who ^ now->who) & SEEN_WARP) {
        old->who |= SEEN_WARPS;
    } else if (old->step != now->step) {
        *old = *now;
        old->who |= kept;
        old->value = value;
    } else if ((old->who ^ now->who) & SEEN_THREAD) {
        old->who |= SEEN_LANES;
    }
}

/** The word's first access since all was ordered. */
static inline void cell_begin(struct cell *cell, const struct seen *now,
                              uint32_t tag)
{
    cell->head = *now;
    cell->next = now->who & SEEN_WRITE ? CELL_WRITTEN : 0;
    cell->tag = tag;
}

#endif
