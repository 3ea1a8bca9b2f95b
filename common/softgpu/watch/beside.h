/* SPDX-License-Identifier: MIT */
/** @file
 *  Commands that no event or wait orders, and that still do not race.
 *
 *  A grid that reads a flag which an earlier one has set, both by atomic or
 *  volatile accesses, goes on after that one.  Grids that were in flight
 *  together (core/turns.h) wait for each other's flags, and so do copies that
 *  ran beside them: whether those order their accesses is not followed across
 *  launches, so they are not compared.  And each device has its own copy of a
 *  `__device__` variable, at one address.
 */
#ifndef SOFTGPU_WATCH_BESIDE_H
#define SOFTGPU_WATCH_BESIDE_H

#include <stdint.h>

#include "racecheck.h"

/** Where a launch or a copy ran. */
struct place_of_command {
    unsigned flight; /**< number that grids in flight together share; 0: none */
    int device;      /**< whose variables were in place */
};

/** A launch begins, or goes on after it has passed the turn. */
struct place_of_command beside_place_of_launch(void);
/** A copy or a fill runs. */
struct place_of_command beside_place_of_copy(void);
/** A grid passes the turn (1), or has gone on (0). */
void beside_grid_passes(int passes);
/** Is this access the load of a flag, and the record a store to it? */
int beside_is_flag(const struct word_access *w,
                   const struct access_record *record);
/** The running launch has read a flag of the launch that a command of this
 *  number is: from now on they are not compared. */
void beside_hand_over(uint64_t number);
/** Has it? */
int beside_was_handed_over(uint64_t number);
/** May an access to an address race with another command's? */
int beside_may_race(struct place_of_command a, struct place_of_command b,
                    uintptr_t address);

#endif
