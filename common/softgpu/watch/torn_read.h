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
 *  read is a load.
 */
#ifndef SOFTGPU_WATCH_TORN_READ_H
#define SOFTGPU_WATCH_TORN_READ_H

#include "racecheck.h"

/** Make the table of a block's state.  @return NULL without memory */
struct torn_table *torn_new_table(void);

/** The running thread reads atomically, or through a volatile pointer, what
 *  another block wrote so.
 *  @param old  record of that write */
void torn_observe(const struct word_access *word,
                  const struct access_record *old);

/** Is that read one of a word that must be seen together with a word read
 *  before?  The accesses are not ordered. */
int torn_is_read(const struct word_access *word,
                 const struct access_record *old);

#endif
