/* SPDX-License-Identifier: MIT */
/** @file
 *  The finding for a race of two accesses.
 */
#ifndef SOFTGPU_WATCH_RACE_REPORT_H
#define SOFTGPU_WATCH_RACE_REPORT_H

#include "race_rules.h"
#include "watch.h"

/** The finding for a race with an access of the running thread. */
struct softgpu_finding make_race_finding(const struct access *access,
                                         enum relation relation);

/** Report a race of the running thread with a recorded access.  The access
 *  that is later in the source is named first, so that the report does not
 *  depend on which one ran first.
 *  @param[in,out] finding  of make_race_finding(); may become the other side's
 *  @param         old      the recorded access
 *  @param         current  the running thread's */
void report_race(struct softgpu_finding *finding,
                 const struct access_record *old,
                 const struct access_record *current);

/** The code address of which a record keeps the lower half. */
uintptr_t race_full_pc(uint32_t pc);
/** Is the code address a later in the source than b? */
int race_is_later_in_source(uintptr_t a, uintptr_t b);

#endif
