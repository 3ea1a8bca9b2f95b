/* SPDX-License-Identifier: MIT */
/** @file
 *  The race watcher: judges each word of an access.
 */
#ifndef SOFTGPU_RACE_H
#define SOFTGPU_RACE_H

#include "pool.h"
#include "watch.h"

/** A word that is accessed. */
struct word_access {
    const struct access *access;
    struct cell *cell;
    struct pool *pool;
    uintptr_t address; /**< of the word */
    uint32_t tag;      /**< interval or launch */
    struct seen now;
};

/** Report what the access is not ordered with; remember it.  In device
 *  memory the caller holds the word's lock (words.h). */
void race_judge(struct word_access *word);

/** Judge the writes that wait for their values; the calling OS thread has
 *  made them by now. */
void race_settle(void);

#endif
