/* SPDX-License-Identifier: MIT */
/** @file
 *  Numbers and names as people read them.  Each function writes into a
 *  struct words and returns its text, so that calls can stand in one printf.
 */
#ifndef SOFTGPU_TEXT_FORMAT_H
#define SOFTGPU_TEXT_FORMAT_H

#include <stdint.h>

#include "profile.h"

/** Room for one formatted value. */
struct words {
    char text[128]; /**< ends with 0 */
};

/** Room made on the spot, for a call's first argument. */
#define WORDS (&(struct words){{0}})

/** 1234567 as "1,234,567". */
const char *say_count(struct words *w, uint64_t value);
/** Microseconds as "850 ns", "12.3 us", "1.52 ms". */
const char *say_time(struct words *w, double us);
/** A grid or block as "32 x 8", without sides of 1 at the end. */
const char *say_shape(struct words *w, dim3 d);
/** A large number with its prefix: 3.35e12, "B/s" as "3.35 TB/s". */
const char *say_scaled(struct words *w, double value, const char *unit);
/** Text of a source or a report without control characters; what is longer
 *  than `most` bytes (at most 120) ends with "...". */
const char *say_plain(struct words *w, const char *text, int most);
/** The last part of a path. */
const char *say_file(const char *path);
/** A ceiling of the model in words: "dram" is "memory (DRAM)". */
const char *say_ceiling(const char *name);
/** What limits the occupancy in words. */
const char *say_limit(enum occupancy_limit limit);

#endif
