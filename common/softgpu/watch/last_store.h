/* SPDX-License-Identifier: MIT */
/** @file
 *  Which thread stored what an element of device memory holds, and where.
 */
#ifndef SOFTGPU_WATCH_LAST_STORE_H
#define SOFTGPU_WATCH_LAST_STORE_H

#include <stdbool.h>

#include "executions.h"

/** The last store to a word, by the last kernel that accessed the word. */
struct last_store {
    struct source_line line; /**< of the store */
    uint32_t block;          /**< linear index of the storing block */
    /** What the thread has executed; NULL: not known, or several threads have
     *  stored the word. */
    const uint16_t *executed;
};

/** Find it.  No kernel may run.
 *  @param address     in device memory that is allocated
 *  @param[out] store  always written
 *  @return false when it is not known: copies, fills and libraries are not
 *          recorded, nor are blocks that are not checked (sampling.h), nor
 *          stores without -g */
bool softgpu_last_store(const void *address, struct last_store *store);

#endif
