/* SPDX-License-Identifier: MIT */
/** @file
 *  Racecheck: accesses to one word that are not ordered (race_rules.h).
 */
#ifndef SOFTGPU_WATCH_RACECHECK_H
#define SOFTGPU_WATCH_RACECHECK_H

#include "record_pool.h"
#include "watch.h"

/** One word of an access. */
struct word_access {
    const struct access *access;
    struct shadow_cell *cell;
    struct record_pool *pool; /**< for further records of the cell */
    uintptr_t address; /**< of the word */
    uint32_t tag;      /**< interval or launch: see shadow_cell.tag */
    struct access_record current; /**< the access as a record */
    int is_pending;    /**< an earlier store may not be executed yet */
};

/** Report the recorded accesses that race with this one, then record it.  For
 *  device memory the caller holds the word's lock (shadow_words.c). */
void racecheck_word(struct word_access *word);

/** Note what the load of a word has found: see torn_read.h. */
void racecheck_observe(const struct word_access *word);

/** Check the deferred writes: this OS thread has executed them by now. */
void racecheck_run_deferred(void);

#endif
