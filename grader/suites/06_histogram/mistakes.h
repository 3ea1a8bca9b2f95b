/* SPDX-License-Identifier: MIT */
/** @file
 *  Usual mistakes of lab 06.
 */
#ifndef GRADER_SUITES_06_HISTOGRAM_MISTAKES_H
#define GRADER_SUITES_06_HISTOGRAM_MISTAKES_H

#include <stdint.h>

#include "grader/suite/hypothesis.h"

/** Bytes, to be counted. */
struct histogram_input {
    const uint8_t *in; /**< the bytes */
    size_t n;          /**< how many */
    size_t offset;     /**< of their address from a multiple of 256 */
};

/** Try bytes that are left out or counted again, and bins that are lost.
 *  @param context  a struct histogram_input */
mistakes histogram_mistakes;
/** Try what lanes of a warp add for each other. */
void histogram_lane_mistakes(struct hypotheses *h,
                             const struct histogram_input *input);
/** Try counts of blocks that are joined otherwise, and counters of 8 and of 16
 *  bits. */
void histogram_counter_mistakes(struct hypotheses *h,
                                const struct histogram_input *input);

#endif
