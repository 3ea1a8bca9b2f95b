/* SPDX-License-Identifier: MIT */
/** @file
 *  The shadow of the words of an access: which bytes are initialized
 *  (initcheck.h), and records of the accesses to them (racecheck.h).
 */
#ifndef SOFTGPU_WATCH_SHADOW_WORDS_H
#define SOFTGPU_WATCH_SHADOW_WORDS_H

#include <stddef.h>

#include "happens_before.h"
#include "racecheck.h"
#include "watch.h"

/** A launch begins: records of device memory of earlier ones are kept for
 *  shadow_conflict(), but for all beside the first ones when they are many. */
void shadow_reset(void);

/** Mask of the bytes of the word at offset `at` that an access of the bytes
 *  [at, end) covers. */
static inline unsigned shadow_byte_mask(size_t at, size_t end)
{
    const unsigned from = at & 3;
    const size_t left = end - at;
    const unsigned to = left > 4 - from ? 4 : from + (unsigned)left;

    return (1u << to) - (1u << from);
}

/** Bytes that a later command accesses: those of a word in [base, end). */
struct byte_range {
    uintptr_t word; /**< its address */
    uintptr_t base, end;
    int writes; /**< 1: the command writes them */
};

/** A recorded access of device memory that conflicts with a command: to one of
 *  its bytes, one of the two a write.  Of a launch long ago only the first
 *  record is left.
 *  @param cell   of the word
 *  @param after  the conflict found before, or NULL
 *  @return NULL if there is none */
const struct access_record *shadow_conflict(const struct shadow_cell *cell,
                                            const struct byte_range *range,
                                            const struct access_record *after);
/** The store whose value a word of device memory holds, as far as it is
 *  recorded: of the last launch that accessed the word.
 *  @return NULL if there is none */
const struct access_record *shadow_last_store(const struct shadow_cell *cell);
/** The bytes of an access. */
struct byte_range shadow_bytes_of(const struct word_access *word);

/** The record of an access by the running thread, without bytes and block.
 *  @param flags  enum access_flags */
static inline struct access_record make_record(const struct watch_block *w,
                                               uint32_t flags, uintptr_t pc)
{
    const struct softgpu_thread *t = softgpu_tls.thread;

    return (struct access_record){
        .pc = (uint32_t)pc,
        .threads = (uint32_t)(t - w->block->threads)
                   | (flags & ACCESS_WRITE ? RECORD_WRITE | RECORD_LAST_WRITER
                                           : 0u)
                   | (flags & ACCESS_ATOMIC ? RECORD_ATOMIC : 0u)
                   | (flags & ACCESS_OF_BLOCK ? RECORD_OF_BLOCK : 0u)
                   | (flags & ACCESS_VOLATILE ? RECORD_VOLATILE : 0u)
                   | (flags & ACCESS_POLLED ? RECORD_POLLED : 0u),
        .interval = w->interval,
        .sequence = w->sequence,
        .warp_interval = (uint16_t)t->warp->syncwarp_count,
    };
}

/** An atomic or volatile load of device memory has been executed: look again
 *  whose value it found, because another OS thread may have stored it after
 *  the load was recorded. */
void shadow_finish_load(void);

/** The test of global_read_is_recorded() for each word from byte `at` on. */
int global_words_recorded(const struct allocation *m, size_t at, uint32_t bytes,
                          const struct granule *granule);

/** Is a plain read of device memory recorded already, by its granule or by
 *  its cells?  Reads them without their lock: at worst the change of another
 *  OS thread is missed.
 *  @param m  the allocation that holds all bytes */
static inline int global_read_is_recorded(const struct allocation *m,
                                          const volatile void *p,
                                          uint32_t bytes, uintptr_t pc)
{
    const size_t at = (uintptr_t)p - m->base;
    const struct granule current = {hb_tag(watch_current_block()),
                                    (uint32_t)pc};
    const struct granule *granule;

    if (bytes < 4 || !m->cells || (uintptr_t)p & (bytes - 1) || at & 3)
        return 0;
    granule = &m->granules[at / 4 / GRANULE_WORDS];
    return (granule->tag == current.tag && granule->pc == current.pc)
           || global_words_recorded(m, at, bytes, &current);
}

#endif
