/* SPDX-License-Identifier: MIT */
/** @file
 *  The rule for a data race, from the CUDA memory model: two accesses to one
 *  word by different threads, at least one a plain (non-atomic) access and at
 *  least one a write, neither ordered before the other.
 *
 *  In a block a barrier orders accesses; in a warp __syncwarp does, too.
 *  Between blocks a fence with an atomic (happens_before.h), a grid barrier
 *  and the next launch order them.
 */
#ifndef SOFTGPU_WATCH_RACE_RULES_H
#define SOFTGPU_WATCH_RACE_RULES_H

#include <stdbool.h>

#include "common/softgpu/instrument/shadow_cell.h"

/** How two accesses relate when no atomic orders them. */
enum relation {
    ORDERED,       /**< no race */
    IN_WARP,       /**< a race, unless lanes run in lockstep */
    IN_BLOCK,      /**< a race between warps of a block */
    BETWEEN_BLOCKS /**< a race, unless one happens before (happens_before.h) */
};

/** Is the read recorded already, by the first record of its cell?
 *  @param current  the read
 *  @param tag      interval or launch of the read */
static inline bool cell_has_access(const struct shadow_cell *cell,
                                   const struct access_record *current,
                                   uint32_t tag)
{
    const struct access_record *head = &cell->head;
    const uint32_t differ = head->threads ^ current->threads;

    if (cell->tag != tag || head->pc != current->pc || (differ & RECORD_KEY))
        return false;
    if (head->block != current->block || head->interval != current->interval)
        return (head->threads & (RECORD_BLOCKS | RECORD_WRITE))
                   == RECORD_BLOCKS
               && !(cell->next & CELL_WRITTEN);
    return head->threads & RECORD_WARPS
           || (!(differ & RECORD_WARP)
               && head->warp_interval == current->warp_interval
               && (head->threads & RECORD_LANES
                   || !(differ & RECORD_THREAD)));
}

/** Do they access a common byte, one of them writing? */
static inline bool records_conflict(const struct access_record *old,
                                    const struct access_record *current)
{
    return old->threads & current->threads & RECORD_BYTES
           && (old->threads | current->threads) & RECORD_WRITE;
}

/** Does a record of a word have a byte of [base, end)?
 *  @param word  address of the word */
static inline bool record_overlaps(const struct access_record *record,
                                   uintptr_t word, uintptr_t base,
                                   uintptr_t end)
{
    for (unsigned i = 0; i < 4; i++)
        if (record->threads >> (RECORD_BYTES_SHIFT + i) & 1
            && word + i >= base && word + i < end)
            return true;
    return false;
}

/** Are both atomic or volatile?  Such accesses synchronize threads; between
 *  blocks an atomic of a block (RECORD_OF_BLOCK) does not. */
static inline bool both_synchronizing(const struct access_record *old,
                                      const struct access_record *current)
{
    enum { SYNCHRONIZING = RECORD_ATOMIC | RECORD_VOLATILE };

    return old->threads & SYNCHRONIZING && current->threads & SYNCHRONIZING;
}

/** How the threads of a record relate to the thread of the access. */
static inline enum relation relate_records(const struct access_record *old,
                                           const struct access_record *current)
{
    const uint32_t differ = old->threads ^ current->threads;

    if (old->block != current->block || old->threads & RECORD_BLOCKS)
        return BETWEEN_BLOCKS;
    if (old->interval != current->interval)
        return ORDERED;
    if (old->threads & RECORD_WARPS || differ & RECORD_WARP)
        return IN_BLOCK;
    if (old->warp_interval != current->warp_interval)
        return ORDERED;
    return old->threads & RECORD_LANES || differ & RECORD_THREAD ? IN_WARP
                                                                 : ORDERED;
}

/** Replace a record by a later one, but for the bits that stay. */
static inline void replace_record(struct access_record *old,
                                  const struct access_record *current,
                                  uint32_t more)
{
    const uint32_t kept =
        old->threads
        & (RECORD_BLOCKS | RECORD_LAST_WRITER | RECORD_VALUES_DIFFER);
    const uint16_t value = old->value;

    *old = *current;
    old->threads |= kept | more;
    old->value = value;
}

/** Add an access to the record of its instruction. */
static inline void merge_record(struct access_record *old,
                                const struct access_record *current)
{
    const uint32_t differ = old->threads ^ current->threads;

    old->sequence = current->sequence; /* only a later fence releases both */
    if (old->block != current->block)
        replace_record(old, current, RECORD_BLOCKS);
    else if (old->interval != current->interval)
        replace_record(old, current, 0);
    else if (old->threads & RECORD_WARPS)
        return;
    else if (differ & RECORD_WARP)
        old->threads |= RECORD_WARPS;
    else if (old->warp_interval != current->warp_interval)
        replace_record(old, current, 0);
    else if (differ & RECORD_THREAD)
        old->threads |= RECORD_LANES;
}

/** Forget all records of a cell; its first is the access.
 *  @param tag  interval or launch of the access */
static inline void cell_reset(struct shadow_cell *cell,
                              const struct access_record *current,
                              uint32_t tag)
{
    cell->head = *current;
    cell->next = current->threads & RECORD_WRITE ? CELL_WRITTEN : 0;
    cell->tag = tag;
}

#endif
