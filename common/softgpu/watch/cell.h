/* SPDX-License-Identifier: MIT */
/** @file
 *  What is remembered of a word of memory: who wrote it last, who read it,
 *  and which of its bytes hold a value.
 *
 *  The rule for a race, from the CUDA memory model: two accesses to one word
 *  by different threads, at least one a plain write, with nothing that orders
 *  them.  In a block, a barrier orders; in a warp, __syncwarp too; between
 *  blocks, a fence and an atomic (order.h), or a grid barrier.
 */
#ifndef SOFTGPU_CELL_H
#define SOFTGPU_CELL_H

#include <stdbool.h>
#include <stdint.h>

/** One side of a possible race: 16 bytes. */
struct party {
    uint32_t block; /**< serial number of the block in the program's run */
    uint32_t when;  /**< epoch << 12 | thread << 2 | PARTY_ATOMIC, PARTY_SEEN */
    uint32_t step;  /**< how many __syncwarp the thread's warp has made */
    uint32_t code;  /**< return address, from the start of the text */
};

enum {
    PARTY_SEEN = 1u,   /**< 0: there was no such access yet */
    PARTY_ATOMIC = 2u, /**< by an atomic, or volatile */
    PARTY_THREAD = 0xffcu,
    EPOCH_SHIFT = 12,
    EPOCH_MASK = 0xfffff
};

/** A word, or a byte once the word was accessed in parts. */
struct cell {
    struct party writer;
    struct party reader; /**< the latest one */
    uint8_t written;     /**< bit b: byte b holds a value */
    uint8_t many;        /**< READ_BY_...: readers before the latest */
    uint8_t split;       /**< look at the cells of its bytes instead */
};

/** Who else read the word and is not ordered before the latest reader. */
enum { READ_BY_LANES = 1, READ_BY_WARPS = 2, READ_BY_BLOCKS = 4 };

/** How two accesses stand to each other; the later, the worse. */
enum relation {
    ORDERED,        /**< no race */
    IN_WARP,        /**< a race, unless lanes run in lock-step */
    BETWEEN_BLOCKS, /**< a race, unless order.h knows of a hand-over */
    IN_BLOCK        /**< a race between warps of a block */
};

/** Make the record of an access. */
static inline struct party party_of(uint32_t block, uint32_t epoch,
                                    uint32_t thread)
{
    return (struct party){
        .block = block,
        .when = (epoch & EPOCH_MASK) << EPOCH_SHIFT | thread << 2 | PARTY_SEEN,
    };
}

/** The thread's linear index in its block. */
static inline uint32_t party_thread(const struct party *p)
{
    return (p->when & PARTY_THREAD) >> 2;
}

/** How many barriers the block had passed, modulo 2^20. */
static inline uint32_t party_epoch(const struct party *p)
{
    return p->when >> EPOCH_SHIFT;
}

/** Where two accesses stand when at least one writes and both are plain.
 *  @param first  serial number of the launch's first block: older accesses
 *                were ordered by the launch itself */
static inline enum relation relate(const struct party *old,
                                   const struct party *now, uint32_t first)
{
    if (!(old->when & PARTY_SEEN) || old->block < first)
        return ORDERED;
    if (old->block != now->block)
        return BETWEEN_BLOCKS;
    if (party_epoch(old) != party_epoch(now)
        || party_thread(old) == party_thread(now))
        return ORDERED;
    if (party_thread(old) / 32 != party_thread(now) / 32)
        return IN_BLOCK;
    return old->step == now->step ? IN_WARP : ORDERED;
}

/** The same, where two atomics never race. */
static inline enum relation relate_kinds(const struct party *old,
                                         const struct party *now,
                                         uint32_t first)
{
    if (old->when & now->when & PARTY_ATOMIC)
        return ORDERED;
    return relate(old, now, first);
}

/** READ_BY_... bit of a reader that the next one is not ordered after. */
static inline unsigned reader_bit(enum relation relation)
{
    return relation == IN_WARP          ? READ_BY_LANES
           : relation == IN_BLOCK       ? READ_BY_WARPS
           : relation == BETWEEN_BLOCKS ? READ_BY_BLOCKS
                                        : 0;
}

/** Which of the earlier readers still matter when `now` reads. */
static inline unsigned readers_left(const struct cell *cell,
                                    const struct party *now, uint32_t first)
{
    const struct party *last = &cell->reader;
    unsigned left = cell->many;

    if (!(last->when & PARTY_SEEN) || last->block < first)
        return 0;
    if (last->block != now->block)
        return READ_BY_BLOCKS;
    if (party_epoch(last) != party_epoch(now))
        return left & READ_BY_BLOCKS;
    if (party_thread(last) / 32 != party_thread(now) / 32)
        return (left & READ_BY_BLOCKS) | READ_BY_WARPS;
    if (last->step != now->step)
        left &= ~(unsigned)READ_BY_LANES;
    return left | reader_bit(relate(last, now, first));
}

/** Remember a read.  @return how it stands to the last write */
static inline enum relation cell_read(struct cell *cell,
                                      const struct party *now, uint32_t first)
{
    struct party *last = &cell->reader;

    if (last->when == now->when && last->block == now->block
        && last->step == now->step)
        return ORDERED; /* this thread read it before: nothing is new */
    cell->many = (uint8_t)readers_left(cell, now, first);
    *last = *now;
    return relate_kinds(&cell->writer, now, first);
}

/** How a write stands to readers before the latest. */
static inline enum relation relate_many(const struct cell *cell,
                                        const struct party *now, uint32_t first)
{
    const struct party *last = &cell->reader;

    if (!(last->when & PARTY_SEEN) || last->block < first
        || last->block != now->block)
        return ORDERED; /* then relate() with the latest says it */
    if (party_epoch(last) == party_epoch(now)) {
        if (cell->many & READ_BY_WARPS)
            return IN_BLOCK;
        if (cell->many & READ_BY_LANES && last->step == now->step)
            return IN_WARP;
    }
    return cell->many & READ_BY_BLOCKS ? BETWEEN_BLOCKS : ORDERED;
}

/** Remember a write.
 *  @param[out] other  the party it stands worst to
 *  @return how it stands to the last write and to the reads */
static inline enum relation cell_write(struct cell *cell,
                                       const struct party *now, uint32_t first,
                                       struct party *other)
{
    enum relation worst = relate_kinds(&cell->writer, now, first);
    enum relation to_reader = relate_kinds(&cell->reader, now, first);
    enum relation to_many = now->when & PARTY_ATOMIC
                                ? ORDERED
                                : relate_many(cell, now, first);

    *other = cell->writer;
    if (to_many > to_reader)
        to_reader = to_many;
    if (to_reader > worst) {
        *other = cell->reader;
        worst = to_reader;
    }
    cell->writer = *now;
    return worst;
}

#endif
