/* SPDX-License-Identifier: MIT */
/** @file
 *  Between the parts of lab 06's response: what three calls with known bytes
 *  have counted.
 */
#ifndef GRADER_SUITES_06_HISTOGRAM_COUNTS_H
#define GRADER_SUITES_06_HISTOGRAM_COUNTS_H

#include "labs/06_histogram/histogram.h"
#include "mistakes.h"
#include "response.h"

enum { BINS = HISTOGRAM_BINS, CALLS = 3 };

/** The counts of three calls: with the digits of each index, then with bytes
 *  that are all equal. */
struct counts {
    const struct evidence *evidence;     /**< the failed comparison */
    const struct histogram_input *input; /**< its bytes */
    double got[CALLS][BINS];             /**< the bins of each call */
};

/** Byte i in a call. */
static inline unsigned char byte_of(size_t i, int call)
{
    return (unsigned char)(call == 0 ? i : call == 1 ? i / BINS : BINS - 1);
}

/** By how much the counts of a call are too large.
 *  @param k  of the three; CALLS: the failed one */
void add_differences(const struct counts *c, int k, double *excess);

/** How often is each byte counted?
 *  @return false: that is not known, or depends on the bytes */
bool histogram_find_times(const struct counts *c, char *text);
/** Are all bytes counted, in other bins? */
bool histogram_find_moved(const struct counts *c, char *text);
/** Do the bins have the same too many, whatever the bytes are? */
bool histogram_find_rest(const struct counts *c, char *text);

#endif
