/* SPDX-License-Identifier: MIT */
/** @file
 *  The words of an access: where what is known of them is kept.
 */
#ifndef SOFTGPU_WORDS_H
#define SOFTGPU_WORDS_H

#include <stddef.h>
#include <string.h>

#include "order.h"
#include "pool.h"
#include "watch.h"

/** A launch or a grid barrier: forget all records of device memory. */
void words_forget(void);

/** The shared memory of the block that this OS thread runs, and what its
 *  accesses are compared with; in TLS, so that the usual access is done with
 *  in some twenty instructions.  Another block's memory lies elsewhere: who
 *  is not found here goes the long way, which brings this up to date. */
struct words_fast {
    _Alignas(64) char *base;
    size_t words;     /**< 0: all go the long way, as in a counted block */
    struct cell *cells;
    struct softgpu_thread *threads;
    uint64_t interval; /**< with no further records above it */
    struct watch_block *block;
    size_t declared;  /**< words of variables that a kernel declares */
    size_t dynamic, dynamic_end; /**< words of what the launch asked for */
    size_t functions; /**< first word of those of device functions */
};
extern SOFTGPU_TLS struct words_fast words_fast; /**< this OS thread's */

/** Mask of the bytes of the word at `at` that an access of [at, end) covers. */
static inline unsigned words_bytes(size_t at, size_t end)
{
    const unsigned from = at & 3;
    const size_t left = end - at;
    const unsigned to = left > 4 - from ? 4 : from + (unsigned)left;

    return (1u << to) - (1u << from);
}

/** Flags of an access as a record has them. */
static inline uint32_t words_flags(uint32_t flags)
{
    return (flags & ACCESS_WRITE ? SEEN_WRITE | SEEN_LAST : 0u)
           | (flags & ACCESS_ATOMIC ? SEEN_ATOMIC : 0u)
           | (flags & ACCESS_VOLATILE ? SEEN_VOLATILE : 0u);
}

/** Who accesses, as it is remembered; the bytes of the word are added. */
static inline struct seen words_now(const struct watch_block *w,
                                    uint32_t flags, uintptr_t code)
{
    const struct softgpu_thread *t = softgpu_tls.thread;

    return (struct seen){
        .code = (uint32_t)code,
        .who = (uint32_t)(t - w->block->threads) | words_flags(flags),
        .interval = w->interval,
        .step = (uint16_t)t->warp->steps,
    };
}

/** Index of the word, in units of the access; too large when it is another
 *  block's, or misaligned: its low bits become the highest. */
static inline __attribute__((always_inline)) size_t
words_index(const volatile void *p, uint32_t bytes)
{
    const size_t at = (size_t)((const volatile char *)p - words_fast.base);
    const int shift = __builtin_ctz(bytes);

    return at >> shift | at << (64 - shift);
}

/** A read by the running thread joins a record that stands for part of its
 *  block already.  @return 0: it takes more than setting a bit */
static inline __attribute__((always_inline)) int words_join(struct cell *cell)
{
    const struct softgpu_thread *t = softgpu_tls.thread;
    const uint32_t who = cell->head.who;
    const uint32_t differ = who ^ (uint32_t)(t - words_fast.threads);

    if (differ & (uint32_t)SEEN_WARP) {
        cell->head.who = who | SEEN_WARPS;
    } else if (cell->head.step != (uint16_t)t->warp->steps) {
        return 0;
    } else if (!(who & SEEN_LANES) && differ & SEEN_THREAD) {
        cell->head.who = who | SEEN_LANES;
    }
    return 1;
}

/** Two neighbouring fields at once: the first is the lower half. */
static inline uint64_t words_pair(const uint32_t *first)
{
    uint64_t both;

    memcpy(&both, first, sizeof both);
    return both;
}

/** Write both at once. */
static inline void words_put(uint32_t *first, uint32_t low, uint32_t high)
{
    const uint64_t both = (uint64_t)high << 32 | low;

    memcpy(first, &both, sizeof both);
}

_Static_assert(offsetof(struct cell, next) == offsetof(struct cell, tag) + 4
                   && offsetof(struct seen, who) == 4
                   && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "words_pair reads tag and next, code and who");

/** 1 when a plain read of whole words of shared memory tells nothing new, or
 *  next to nothing, which is noted.  Compared field by field: constants of 32
 *  bits are shorter than the 64-bit ones that both fields at once would take. */
static inline __attribute__((always_inline)) int
words_nothing_new(size_t index, uint32_t words, uintptr_t code)
{
    struct cell *cell = &words_fast.cells[index];

    for (uint32_t i = 0; i < words; i++, cell++) {
        const uint32_t who = cell->head.who;

        if (words_pair(&cell->tag) != words_fast.interval
            || cell->head.code != (uint32_t)code)
            return 0; /* where others were, too, race.c must look */
        if ((who & (SEEN_KEY | SEEN_WARPS)) == (SEEN_BYTES | SEEN_WARPS))
            continue;
        if ((who & SEEN_KEY) != SEEN_BYTES || !words_join(cell))
            return 0;
    }
    return 1;
}

/** Is it a plain access of whole, aligned words of the shared memory that
 *  words_fast has?  @param at  words_index() of it */
static inline __attribute__((always_inline)) int
words_plain(size_t at, uint32_t bytes, uint32_t flags)
{
    return bytes >= 4 && !(flags & ~(uint32_t)ACCESS_WRITE)
           && at < words_fast.words / (bytes / 4);
}

/** Words that belong to somebody, by find_shared's rule (bounds.c). */
static inline int words_owned(size_t index, size_t end)
{
    return end <= words_fast.declared
           || (index >= words_fast.dynamic && end <= words_fast.dynamic_end)
           || index >= words_fast.functions;
}

/** Begin a word's record, as cell_begin() does, by as few stores as can be; a
 *  read begins none of what was never written.  @return whether it did */
static inline int words_begin_one(size_t index, uint32_t flags, uint32_t code)
{
    const struct softgpu_thread *t = softgpu_tls.thread;
    const struct watch_block *w = words_fast.block;
    struct cell *cell = &words_fast.cells[index];
    const uint32_t who = (uint32_t)(t - words_fast.threads) | SEEN_BYTES;
    const uint32_t all = w->first << 4 | 0xf;

    if (cell->tag == (uint32_t)words_fast.interval)
        return 0;
    if (flags)
        w->known[index] = all;
    else if (w->known[index] != all)
        return 0;
    words_put(&cell->head.code, code,
              flags ? who | SEEN_WRITE | SEEN_LAST : who);
    words_put(&cell->head.block, 0, (uint32_t)words_fast.interval);
    words_put(&cell->head.fences, w->fences, (uint16_t)t->warp->steps);
    words_put(&cell->tag, (uint32_t)words_fast.interval,
              flags ? CELL_WRITTEN : 0);
    return 1;
}

/** 1 when all that an access of such words does is to begin their records of
 *  the interval; that is done. */
static inline int words_only_begin(size_t index, uint32_t words,
                                   uint32_t flags, uintptr_t code)
{
    if (!words_owned(index, index + words))
        return 0;
    for (uint32_t i = 0; i < words; i++)
        if (!words_begin_one(index + i, flags, (uint32_t)code))
            return 0; /* what was begun is right: it is judged once more */
    return 1;
}

/** What words_covered() finds word by word, from byte `at` on. */
int words_covered_each(const struct watched *m, size_t at, uint32_t bytes,
                       const struct granule *granule);
/** 1 when a plain read of device memory tells nothing new.  Looked at without
 *  its lock: at worst a change by another OS thread is missed. */
static inline __attribute__((always_inline)) int
words_covered(const struct watched *m, const volatile void *p, uint32_t bytes,
              uintptr_t code)
{
    const size_t at = (uintptr_t)p - m->base;
    const struct granule *seen, now = {order_tag(watch_here()),
                                       (uint32_t)code};

    if (bytes < 4 || !m->cells || (uintptr_t)p & (bytes - 1) || at & 3)
        return 0;
    seen = &m->granules[at / 4 / GRANULE_WORDS];
    return (seen->tag == now.tag && seen->code == now.code)
           || words_covered_each(m, at, bytes, &now);
}
/** The running block goes on in another interval, or is another one. */
void words_follow(struct watch_block *w);
/** All go the long way until words_follow(). */
static inline void words_stop(void)
{
    words_fast.words = 0;
    words_fast.block = NULL;
}

#endif
