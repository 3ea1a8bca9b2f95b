/* SPDX-License-Identifier: MIT */
/** @file
 *  A course's own thresholds, in place of those in a lab's settings:
 *
 *      speed large       = 3.0         ; a timed run on a card: the speedup
 *                                      over ; the baseline that earns all
 *                                      points
 *      cost long sectors = 9, 3, 1.05  ; the tiers of a budget, as multiples
 *                                      ; of its unit; their points stay
 */
#ifndef GRADER_LAB_THRESHOLD_H
#define GRADER_LAB_THRESHOLD_H

#include "lab.h"

/** Is this a key of a threshold, rather than of another setting? */
bool threshold_is_key(const char *key);
/** Set one.
 *  @param key    "speed RUN" or "cost CASE METRIC"
 *  @param value  the numbers
 *  @return false with one line in `error` (LAB_ERROR_SIZE bytes); then the lab
 *  is as before */
bool threshold_set(struct lab *lab, const char *key, const char *value,
                   char *error);

#endif
