/* SPDX-License-Identifier: MIT */
/** @file
 *  The words of an access: where what is known of them is kept.
 */
#ifndef SOFTGPU_WORDS_H
#define SOFTGPU_WORDS_H

#include <stddef.h>
#include <string.h>

#include "pool.h"
#include "watch.h"

/** A launch or a grid barrier: forget all records of device memory. */
void words_forget(void);

/** The shared memory of the block that this OS thread runs, and what its
 *  accesses are compared with; in TLS, so that the usual access is done with
 *  in some twenty instructions.  Another block's memory lies elsewhere: who
 *  is not found here goes the long way, which brings this up to date. */
struct words_fast {
    char *base;
    size_t words;     /**< 0: all go the long way, as in a counted block */
    size_t declared;  /**< words of variables that a kernel declares */
    size_t dynamic, dynamic_end; /**< words of what the launch asked for */
    size_t functions; /**< first word of those of device functions */
    struct cell *cells;
    struct softgpu_thread *threads;
    struct watch_block *block;
    uint64_t interval; /**< with no further records above it */
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

/** The same of a code and what is to be known of who came from there. */
static inline uint64_t words_from(uintptr_t code, uint32_t who)
{
    return (uint64_t)who << 32 | (uint32_t)code;
}

_Static_assert(offsetof(struct cell, next) == offsetof(struct cell, tag) + 4
                   && offsetof(struct seen, who) == 4
                   && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "words_pair reads tag and next, code and who");

/** 1 when a plain read of whole words of shared memory tells nothing new, or
 *  next to nothing, which is noted. */
static inline __attribute__((always_inline)) int
words_nothing_new(size_t index, uint32_t words, uintptr_t code)
{
    struct cell *cell = &words_fast.cells[index];

    for (uint32_t i = 0; i < words; i++) {
        const uint64_t head = words_pair(&cell[i].head.code);

        if (words_pair(&cell[i].tag) != words_fast.interval)
            return 0; /* where others were, too, race.c must look */
        if ((head & words_from(~0u, SEEN_KEY | SEEN_WARPS))
            == words_from(code, SEEN_BYTES | SEEN_WARPS))
            continue;
        if ((head & words_from(~0u, SEEN_KEY)) != words_from(code, SEEN_BYTES)
            || !words_join(&cell[i]))
            return 0;
    }
    return 1;
}

/** 1 when all that an access of such words does is to begin their records of
 *  the interval; that is done.  Weak: it comes with the checks. */
int words_only_begin(size_t index, uint32_t words, uint32_t flags,
                     uintptr_t code) __attribute__((weak));

/** 1 when a plain access of whole, aligned words of shared memory is done
 *  with.  Most accesses are such, so this is inlined where they arrive. */
static inline __attribute__((always_inline)) int
words_quick(const volatile void *p, uint32_t bytes, uint32_t flags,
            uintptr_t code)
{
    const size_t at = bytes < 4 ? 0 : words_index(p, bytes);
    const uint32_t words = bytes / 4;

    if (bytes < 4 || flags & ~(uint32_t)ACCESS_WRITE
        || at >= words_fast.words / words)
        return 0;
    return (!flags && words_nothing_new(at * words, words, code))
           || words_only_begin(at * words, words, flags, code);
}

/** 1 when a plain read of device memory tells nothing new.  Looked at without
 *  its lock: at worst a change by another OS thread is missed. */
int words_covered(const struct watched *m, const volatile void *p,
                  uint32_t bytes, uintptr_t code);
/** The running block goes on in another interval, or is another one. */
void words_follow(struct watch_block *w);
/** All go the long way until words_follow(). */
static inline void words_stop(void)
{
    words_fast.words = 0;
    words_fast.block = NULL;
}

#endif
