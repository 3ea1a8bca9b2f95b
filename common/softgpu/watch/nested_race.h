/* SPDX-License-Identifier: MIT */
/** @file
 *  Races between a kernel and the kernels that it launched, and between these.
 *
 *  What a thread did before it launched a kernel, and what a barrier of its
 *  block orders before that, is ordered before the kernel; nothing else of the
 *  launching grid is, but for a tail launch.  Kernels that one block launched
 *  count as ordered, whatever their streams; those of two blocks are not.
 */
#ifndef SOFTGPU_WATCH_NESTED_RACE_H
#define SOFTGPU_WATCH_NESTED_RACE_H

#include "racecheck.h"
#include "stream_race.h"

/** The running thread launches a kernel.
 *  @param[in,out] at  gets the thread's place in the order */
void nested_race_launches(struct softgpu_launch_point *at);
/** A grid begins; nested_race_end_grid() comes after those that its threads
 *  wait for. */
void nested_race_begin_grid(const struct run *run);
/** It has ended. */
void nested_race_end_grid(void);
/** A grid of the host lets others run beside it (1), or goes on (0). */
void nested_race_pass(const struct run *run, int passes);
/** Number of the running grid. */
uint32_t nested_race_grid(void);
/** The first access of the running grid to a word that an earlier grid of the
 *  same launch by the host accessed, before it is recorded. */
void nested_race_word(const struct word_access *word, const struct launch *old);
/** Report what was deferred: this OS thread has executed its write by now. */
void nested_race_run_deferred(void);

#endif
