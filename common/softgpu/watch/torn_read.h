/* SPDX-License-Identifier: MIT */
/** @file
 *  Two words that a block hands over without a fence.  A volatile access or a
 *  relaxed atomic is no data race, and it orders nothing: when a thread has
 *  read a flag that another block wrote, and then reads a word that this block
 *  wrote before the flag, it may still find the old value.
 *
 *  A single word that carries a value is allowed, as a ticket, a packed flag
 *  and sum, or a maximum.  So a pair of words is reported only where different
 *  instructions write them and different ones read them, and where the second
 *  read is a load.  And a load that a loop polls is allowed: a thread that
 *  finds the old value there waits, or tries again.  The program's text tells
 *  which ones these are (softcc/rewriter/rewrite_polling.c), not what happens
 *  in a run, in which a loop may have found the new value at once.
 */
#ifndef SOFTGPU_WATCH_TORN_READ_H
#define SOFTGPU_WATCH_TORN_READ_H

#include "racecheck.h"

/** The latest write of another block that a thread has seen. */
struct observation {
    uintptr_t address;        /**< of the word */
    uintptr_t access_address; /**< of the access that read it */
    struct access_record write; /**< its latest thread, block and sequence */
    uint32_t thread, interval; /**< of the read */
    uint32_t read_pc;
    int is_used; /**< late_value.h: more of that block was read since */
};

/** Make the table of a block's state.  @return NULL without memory */
struct torn_table *torn_new_table(void);

/** The running thread's next atomic or volatile access is polled. */
void torn_begin_poll(void);
/** Is this access of the running thread that one?  The next one is not.
 *  @return ACCESS_POLLED or 0 */
uint32_t torn_take_poll(const struct watch_block *block);

/** The running thread reads atomically, or through a volatile pointer, what
 *  another block wrote so.
 *  @param old  record of that write */
void torn_observe(const struct word_access *word,
                  const struct access_record *old);

/** What was seen last, if the running thread knows of it; or NULL. */
struct observation *torn_latest(const struct word_access *word);
/** Did the block execute the first write before the second?  The numbers of two
 *  threads tell nothing unless a barrier separates them. */
int torn_is_written_before(const struct access_record *first,
                           const struct access_record *second);

/** Is that read one of a word that must be seen together with a word read
 *  before?  The accesses are not ordered. */
int torn_is_read(const struct word_access *word,
                 const struct access_record *old);

#endif
