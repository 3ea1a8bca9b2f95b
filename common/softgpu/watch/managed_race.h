/* SPDX-License-Identifier: MIT */
/** @file
 *  Races of host code with kernels, in managed memory, managed variables and
 *  pinned memory: host code accesses a word before it has waited for a kernel
 *  that accesses it, and one of the two writes.
 *
 *  Not found: accesses before a volatile or atomic access of host code to such
 *  memory, which may be a flag that host and kernel exchange; kernels that the
 *  host learns of by a host function of a stream; more than 64 ranges.
 */
#ifndef SOFTGPU_WATCH_MANAGED_RACE_H
#define SOFTGPU_WATCH_MANAGED_RACE_H

#include "stream_race.h"

struct softgpu_order;

/** Host code accesses memory.
 *  @param flags  enum access_flags */
void managed_race_host(const void *p, uint32_t bytes, uint32_t flags,
                       uintptr_t pc);
/** A launch begins.  @return whether accesses must be compared */
int managed_race_begin_grid(const struct softgpu_order *now);
/** The first access of the running launch to a word. */
void managed_race_word(const struct word_access *word);

#endif
