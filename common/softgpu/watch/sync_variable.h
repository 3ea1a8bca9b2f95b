/* SPDX-License-Identifier: MIT */
/** @file
 *  Synchronization variables: the log of what was released into each, and what
 *  blocks have acquired from them.  Private to happens_before.c, which holds a
 *  lock around all calls.
 */
#ifndef SOFTGPU_WATCH_SYNC_VARIABLE_H
#define SOFTGPU_WATCH_SYNC_VARIABLE_H

#include <stddef.h>
#include <stdint.h>

#include "watch.h"

/** A release by a thread: it covers its block's accesses ordered before the
 *  fence, and the releases that the block had acquired. */
struct release_entry {
    uint32_t block, thread;
    uint32_t interval;            /**< of the write */
    uint32_t sequence;            /**< watch_block.sequence of the write */
    uint32_t fence;               /**< watch_block.sequence at the thread's last
                                       fence; 0: it has had none */
    uint32_t fence_interval;      /**< interval of that fence */
    uint32_t fence_at_start;      /**< the sequence of the block's last fence
                                       before the interval; 0: none */
    /** What these fences order, if the thread's own is not of the interval; or
     *  NULL: all that precedes them in the block. */
    const struct handed_fences *handed_over;
    uint32_t warp_fence;          /**< of the last fence of the warp, in the
                                       interval of the write, that a warp call
                                       follows; 0: none */
    uint32_t fenced_lanes;        /**< the lanes that executed such fences */
    uint16_t fence_warp_interval; /**< warp interval of the thread's fence */
    struct acquired *knowledge;   /**< what the block had acquired */
};

/** A word that threads release into. */
struct sync_variable {
    uintptr_t address;
    struct release_entry *log;
    size_t count, capacity;
    uint32_t query;    /**< number of the query that searched it last */
    size_t searched;   /**< entries that it has searched */
    struct sync_variable *next;
};

/** One acquisition: the first log_count releases into a variable. */
struct acquired {
    struct sync_variable *variable;
    size_t log_count;
    uint32_t thread;   /**< that acquired, or ALL_THREADS */
    uint32_t interval; /**< of its block; later, all its threads have */
    uint32_t query;    /**< number of the query that visited it last */
    struct acquired *next; /**< earlier ones */
};

/** The variable at an address.
 *  @param create  make it if there is none
 *  @return NULL when there is none, or no memory */
struct sync_variable *sync_variable_find(uintptr_t address, int create);
/** Add an entry to its log. */
void sync_release(struct sync_variable *variable,
                  const struct release_entry *entry);
/** Add an acquisition to a list.
 *  @return the list's new head; the old one without memory */
struct acquired *sync_acquire(struct acquired *list,
                              struct sync_variable *variable, size_t log_count,
                              uint32_t thread, uint32_t interval);
/** Is the access of another block among what a thread of a block has acquired,
 *  directly or by way of other blocks?  1, too, when that takes too long to
 *  find out. */
int sync_acquired(struct acquired *list, uint32_t thread, uint32_t interval,
                  const struct access_record *access);
/** Free all variables and acquisitions: a launch has ended. */
void sync_variables_free(void);

#endif
