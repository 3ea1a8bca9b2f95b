/* SPDX-License-Identifier: MIT */
/** @file
 *  Usual mistakes of lab 05.
 */
#ifndef GRADER_SUITES_05_SCAN_MISTAKES_H
#define GRADER_SUITES_05_SCAN_MISTAKES_H

#include "grader/suite/hypothesis.h"

/** Elements, to be scanned. */
struct scan_input {
    const float *in; /**< the elements */
    size_t n;        /**< how many */
    int kind;        /**< SCAN_INCLUSIVE or SCAN_EXCLUSIVE */
};

/** Try the other kind of scan, and prefixes of tiles that are wrong.
 *  @param context  a struct scan_input */
mistakes scan_mistakes;
/** Try shuffles whose result is added without a check of the lane. */
void scan_lane_mistakes(struct hypotheses *h, const struct scan_input *input);
/** Try prefixes without fractions, and those of the first tiles only. */
void scan_prefix_mistakes(struct hypotheses *h, const struct scan_input *input);
/** Try tiles that lack the sum of earlier ones, or have it twice. */
void scan_tile_mistakes(struct hypotheses *h, const struct scan_input *input);
/** Try scans, and sums of tiles, in which a round or step is left out.
 *  @param sums  4096 doubles, any contents */
void scan_lost_steps(struct hypotheses *h, const struct scan_input *input,
                     double *sums);

#endif
