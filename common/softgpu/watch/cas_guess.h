/* SPDX-License-Identifier: MIT */
/** @file
 *  The first guess of a loop around a compare-and-swap.
 *
 *      old = *p; do ... while (atomicCAS(p, ...));
 *
 *  atomicCAS fails when the guess is stale, so no race of the plain load with
 *  an atomic is reported.  Any other atomic would use the stale value.
 */
#ifndef SOFTGPU_WATCH_CAS_GUESS_H
#define SOFTGPU_WATCH_CAS_GUESS_H

#include "racecheck.h"

/** Make the table of a block's state.  @return NULL without memory */
struct guess *cas_guess_table(void);

/** The running thread accesses a word: remember a load, and look for one where
 *  the access is a compare-and-swap. */
void cas_guess_access(const struct word_access *word);

#endif
