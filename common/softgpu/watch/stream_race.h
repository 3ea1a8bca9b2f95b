/* SPDX-License-Identifier: MIT */
/** @file
 *  Races between commands of streams: kernels, copies and fills that access one
 *  word, one of them writing, and that no stream, event or wait of the host
 *  orders (host/stream_order.h).
 *
 *  The shadow cell of a word keeps the launch that accessed it last, so two
 *  kernels are compared at the first access of the later one.  Copies and fills
 *  are kept as ranges.  Nothing is compared while all launches are ordered.
 */
#ifndef SOFTGPU_WATCH_STREAM_RACE_H
#define SOFTGPU_WATCH_STREAM_RACE_H

#include "beside.h"
#include "racecheck.h"

/** A launch: its records have tags from `tag` on. */
struct launch {
    uint32_t tag;
    unsigned entry;  /**< of its stream in a clock */
    uint64_t number; /**< of the command */
    const char *kernel;
    int in_default;  /**< 1: its stream is the default stream */
    uint32_t grid;   /**< number of its grid: nested_race.h */
    struct place_of_command place; /**< beside.h */
};

/** The launch that a record has the tag of; NULL: it was long ago. */
const struct launch *stream_race_launch(uint32_t tag);
/** Is there a command that the running launch is not ordered with? */
extern _Atomic int stream_race_possible;
/** Has the program more than one stream?  Then loads from __constant__
 *  variables are recorded, too. */
extern _Atomic int stream_race_has_streams;

/** A launch begins, or goes on after it has waited; its records have the tag
 *  hb_launch_number. */
void stream_race_begin_grid(const struct run *run, int goes_on);
/** The launch has ended. */
void stream_race_end_grid(void);
/** The first access of the running launch to a word, before it is recorded. */
void stream_race_word(const struct word_access *word);
/** A later one, which may be of other bytes: compared with copies and host
 *  code only. */
void stream_race_bytes(const struct word_access *word);
/** A copy (or a fill, without src) of bytes has run, to or from device memory,
 *  a __device__ or a __constant__ variable. */
void stream_race_copied(const void *dst, const void *src, size_t bytes);
/** Memory is freed: forget the copies to and from it. */
void stream_race_forget(const void *base, size_t bytes);

#endif
