/* SPDX-License-Identifier: MIT */
/** @file
 *  Times, deadlines, and what a late submission loses.
 */
#ifndef AUTOGRADE_LATE_H
#define AUTOGRADE_LATE_H

#include <stdbool.h>
#include <stdint.h>

enum { TIME_TEXT = 32 };

/** Deduction of points of a late submission. */
struct late_policy {
    bool is_refused;  /**< no points */
    double percent;   /**< of the points earned, for each day begun */
    double max_days;  /**< later: no points; 0: no such limit */
    double grace;     /**< seconds after the deadline that are not late */
};

/** When submissions were due: an instant, and the zone that it was told in. */
struct deadline {
    int64_t seconds; /**< since 1970, UTC; 0: none */
    int zone;        /**< minutes east of UTC */
};

/** Parse a policy: `accept`, `refuse` or `10%/day`, each followed, if wanted,
 *  by `max N` (days) and `grace N` (minutes); commas are blanks.
 *  @return false when it is none of these */
bool late_parse(const char *text, struct late_policy *policy);
/** The share of the points that is kept, 0 to 1.
 *  @param seconds  after the deadline; not above 0: in time */
double late_factor(const struct late_policy *policy, double seconds);

/** Parse a time of ISO 8601: `2026-11-01`, `2026-11-01T23:59`, with seconds and
 *  a fraction, if wanted, and `Z`, `UTC` or `+01:00`.  Without a zone it is
 *  UTC, on every machine; without a time of day it is the end of that day.
 *  @param[out] seconds  since 1970, UTC
 *  @return false when it is no time */
bool time_parse(const char *text, int64_t *seconds);
/** Parse a time as time_parse() does, but without a zone it is local time of
 *  this machine.
 *  @return false when it is no time */
bool deadline_parse(const char *text, struct deadline *deadline);
/** Format as `2026-11-01T23:59:00+01:00`, which deadline_parse() reads back on
 *  a machine in any zone; empty without a deadline.  @return `text` */
char *deadline_format(char text[TIME_TEXT], const struct deadline *deadline);
/** Format as `2026-11-01T23:59:00Z`.  @return `text` */
char *time_format(char text[TIME_TEXT], int64_t seconds);

#endif
