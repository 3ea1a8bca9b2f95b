/* SPDX-License-Identifier: MIT */
/** @file
 *  The same-access filter.  Most accesses of a kernel are plain reads of
 *  shared memory by an instruction that read the word before, in the same
 *  interval, from another thread.  Their shadow cell already has the record,
 *  and no tool is called.
 *
 *  The trick: a key for each word says which reads its cell has, of the
 *  instruction and of whom: one load and one comparison in 8 bytes, where
 *  the cell has 32.
 *
 *  The tool that owns the shadow cells of a block sets the filter when the
 *  block runs, and clears it when it must see every access.
 */
#ifndef SOFTGPU_SAME_ACCESS_H
#define SOFTGPU_SAME_ACCESS_H

#include <stddef.h>
#include <string.h>

#include "shadow_cell.h"
#include "tool.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))

/** The shared memory of the block that this OS thread runs, and its shadow. */
struct same_access_filter {
    _Alignas(64) char *base;   /**< of the block's shared memory */
    size_t words;              /**< its size; 0: the filter is off */
    struct shadow_cell *cells; /**< one for each word */
    struct softgpu_thread *threads; /**< of the block, by linear index */
    uint64_t *keys;            /**< for each word: see reader_key() */
    uint64_t interval;         /**< its number; the upper half is 0 */
    uint64_t warp_interval;    /**< WARP_KEY + watch_block.warp_epoch */
    /** Called for an access that filter_covers() holds for and that is not
     *  recorded; passes it on by pass_access() unless it can record it. */
    void (*new_access)(const volatile void *p, uint64_t bytes_and_flags,
                       uintptr_t pc, uintptr_t frame);
};

/** The filter of this OS thread. */
extern SOFTGPU_TLS struct same_access_filter same_access_filter;

/** Pass an access to all tools, of which there is one at least.
 *  @param bytes_and_flags  bytes, and enum access_flags in the upper half */
__attribute__((noinline)) void pass_access(const volatile void *p,
                                           uint64_t bytes_and_flags,
                                           uintptr_t pc, uintptr_t frame);

/** Index of the accessed word, in units of the access.  Too large (beyond any
 *  filter) for another block's memory and for a misaligned address, whose
 *  lowest bits become the highest. */
static ALWAYS_INLINE size_t filter_index(const volatile void *p,
                                         uint32_t bytes)
{
    const size_t at =
        (size_t)((const volatile char *)p - same_access_filter.base);
    const int shift = __builtin_ctz(bytes);

    return at >> shift | at << (64 - shift);
}

/** Is it a plain access of whole, aligned words that the filter covers?
 *  @param index  filter_index() of it */
static ALWAYS_INLINE int filter_covers(size_t index, uint32_t bytes,
                                       uint32_t flags)
{
    return bytes >= 4 && !(flags & ~(uint32_t)ACCESS_WRITE)
           && index < same_access_filter.words / (bytes / 4);
}

/** Load two neighboring 32-bit fields; the first is the lower half. */
static inline uint64_t load_both(const uint32_t *fields)
{
    uint64_t both;

    memcpy(&both, fields, sizeof both);
    return both;
}

/** Store two neighboring 32-bit fields. */
static inline void store_both(uint32_t *fields, uint32_t low, uint32_t high)
{
    const uint64_t both = (uint64_t)high << 32 | low;

    memcpy(fields, &both, sizeof both);
}

_Static_assert(offsetof(struct shadow_cell, next)
                       == offsetof(struct shadow_cell, tag) + 4
                   && offsetof(struct access_record, threads) == 4
                   && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "load_both() loads tag and next, store_both() pc and threads");

/** The lower half of a key, for the threads that the cell has. */
enum {
    WARP_KEY_SHIFT = 26, /**< 5 bits: the warp */
    WARP_EPOCHS = 1 << WARP_KEY_SHIFT
};
#define WARP_KEY 0x80000000u /**< those of one warp; else of the whole block */

/** The key of a word whose cell has the reads of one instruction and of no
 *  other, by all threads in the interval or by the warp of the running one.
 *  The upper half is pc. */
static ALWAYS_INLINE uint64_t reader_key(uintptr_t pc, int of_warp)
{
    const uint64_t warp =
        (uintptr_t)softgpu_tls.thread / WARP_BYTES % WARP_LANES;

    return (uint64_t)pc << 32
           | (of_warp ? same_access_filter.warp_interval
                            | warp << WARP_KEY_SHIFT
                      : same_access_filter.interval);
}

/** Do the cells have a plain read of whole words by the running thread?
 *  @param word  index of the first word */
static ALWAYS_INLINE int filter_has_read(size_t word, uint32_t words,
                                         uintptr_t pc)
{
    const uint64_t *key = &same_access_filter.keys[word];

    for (uint32_t i = 0; i < words; i++, key++)
        if (*key != reader_key(pc, 0) && *key != reader_key(pc, 1))
            return 0;
    return 1;
}

/** Turn the filter off: every access goes to the tools. */
static inline void filter_disable(void)
{
    same_access_filter.words = 0;
}

#endif
