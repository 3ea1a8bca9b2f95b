/* SPDX-License-Identifier: MIT */
/** @file
 *  Inputs of a test: reproducible from the run's secret seed and the test's
 *  name, whatever other tests ran before.
 */
#ifndef GRADER_RANDOM_H
#define GRADER_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/** Start the stream for one test. */
void random_start(uint64_t seed, const char *name);
/** 64 fresh bits. */
uint64_t random_bits(void);
/** A whole number, lo <= x <= hi. */
int64_t random_between(int64_t lo, int64_t hi);
/** A number, lo <= x < hi. */
double random_real(double lo, double hi);

/** n floats, uniform in lo <= x < hi. */
void random_floats(float *out, size_t n, double lo, double hi);
/** n floats of mixed sign whose magnitudes spread over 2^-20 .. 2^20: sums of
 *  them cancel, which shows arithmetic in too few bits. */
void random_spread(float *out, size_t n);
/** n floats that are whole numbers, lo <= x <= hi: sums are exact. */
void random_whole(float *out, size_t n, int lo, int hi);
/** n bytes, 0..255. */
void random_bytes(uint8_t *out, size_t n);
/** n ints, lo <= x <= hi. */
void random_ints(int32_t *out, size_t n, int32_t lo, int32_t hi);
/** A seed from the system's generator. */
uint64_t random_secret(void);

#endif
