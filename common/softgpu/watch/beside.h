/* SPDX-License-Identifier: MIT */
/** @file
 *  Commands that no event or wait orders, and that still do not race.
 *
 *  A grid that reads a flag which an earlier one has set, both by atomic or
 *  volatile accesses, goes on after that one.  Grids that were in flight
 *  together (core/turns.h) wait for each other's flags, and so do copies that
 *  ran beside them.  Whether those order their accesses is not followed across
 *  launches.  So of two alone the later one is compared until it may have
 *  learned from the other: by an atomic or volatile access, by waiting, or from
 *  the host, which may have launched it after it had read a value.  And each
 *  device has its own copy of a `__device__` variable, at one address.
 */
#ifndef SOFTGPU_WATCH_BESIDE_H
#define SOFTGPU_WATCH_BESIDE_H

#include <stdint.h>

#include "racecheck.h"

/** Where a launch or a copy ran. */
struct place_of_command {
    unsigned flight; /**< number that grids in flight together share; 0: none */
    int device;      /**< whose variables were in place */
    uint64_t number; /**< of a launch that begins; 0: it goes on, or a copy */
    uint64_t queued; /**< last command when a launch began; 0: a copy */
    unsigned host_functions; /**< of streams, that had begun */
};

/** A launch begins, or goes on after it has waited.
 *  @param number  of the command; 0: it goes on
 *  @param queued  number of the last command that is queued */
struct place_of_command beside_place_of_launch(uint64_t number,
                                               uint64_t queued);
/** The running launch accesses memory by an atomic or volatile access. */
void beside_synchronizes(void);
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
/** May an access to an address race with that of a command before? */
int beside_may_race(struct place_of_command now, struct place_of_command before,
                    uintptr_t address);
/** The same of a launch before and its record of the access. */
int beside_launch_may_race(struct place_of_command now,
                           struct place_of_command before, uintptr_t address,
                           const struct access_record *record);

#endif
