/* SPDX-License-Identifier: MIT */
/** @file
 *  Vector clocks of streams: which commands are ordered before a command.
 *
 *  A clock has an entry for each stream: its commands up to that number are
 *  ordered before.  A command is ordered after the commands before it in its
 *  stream, after what an event or the default stream makes it wait for, and
 *  after what the host had waited for when it queued the command.  The host is
 *  one clock, whichever thread waits.  Kept for the checks only.
 */
#ifndef SOFTGPU_STREAM_ORDER_H
#define SOFTGPU_STREAM_ORDER_H

#include <stdint.h>

/** Entries of a clock.  More streams share entries: then commands of two of
 *  them count as ordered. */
#define SOFTGPU_CLOCK_ENTRIES 64

/** A vector clock. */
struct softgpu_clock {
    uint64_t known[SOFTGPU_CLOCK_ENTRIES]; /**< by stream: command number */
};

/** A command's place in the order. */
struct softgpu_order {
    struct softgpu_clock before; /**< ordered before it; and the command */
    unsigned entry;              /**< of its stream */
    uint64_t number;             /**< its number */
    const void *site;            /**< return address of the call */
    int in_default;              /**< 1: its stream is the default stream */
};

struct CUstream_st;
struct softgpu_queued_command;

/** The order of the command that this OS thread runs; or NULL. */
extern _Thread_local const struct softgpu_order *softgpu_current_order;

/** Host functions of streams that have begun, in an instrumented program. */
extern _Atomic unsigned softgpu_host_functions;

/** A command is queued in a stream: set its order, and that of its event. */
void softgpu_order_queued(struct CUstream_st *stream,
                          struct softgpu_queued_command *op);
/** A stream has waited for another process, which may have waited for anything
 *  that has ended in this one: the stream's later commands are ordered after
 *  that. */
void softgpu_order_waited_elsewhere(struct CUstream_st *stream);
/** Has the stream queued nothing after a command number? */
int softgpu_order_is_end(const struct CUstream_st *stream, uint64_t number);
/** The host has waited for what a clock holds. */
void softgpu_order_host_waited(const struct softgpu_clock *clock);
/** A host function of a stream runs: host threads may learn from it that the
 *  commands before it have ended. */
void softgpu_order_host_function(const struct softgpu_order *order);
/** Has the host waited for a command, or may it have learned of its end? */
int softgpu_order_host_follows(unsigned entry, uint64_t number);
/** Has the host waited for a command of this number, or of a later one? */
int softgpu_order_host_is_idle(uint64_t number);

/** Is a command ordered before one with the order `now`?
 *  @param entry, number  of that command */
static inline int softgpu_order_follows(const struct softgpu_order *now,
                                        unsigned entry, uint64_t number)
{
    return now->before.known[entry] >= number;
}

#endif
