/* SPDX-License-Identifier: MIT */
/** @file
 *  Random inputs of a test, reproducible from a seed and the test's name; they
 *  do not depend on other tests.  A submission sees the inputs: neither the
 *  seed nor any other input can be computed from them.
 */
#ifndef GRADER_RANDOM_H
#define GRADER_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/** Seed the generator for one test. */
void random_seed(uint64_t seed, const char *name);
/** 64 random bits. */
uint64_t random_bits(void);
/** The same from a stream of its own, for what outputs contain before a
 *  call. */
uint64_t random_poison(void);
/** A uniform integer, lo <= x <= hi. */
int64_t random_int(int64_t lo, int64_t hi);
/** A uniform number, lo <= x < hi. */
double random_uniform(double lo, double hi);

/** n floats, uniform in lo <= x < hi. */
void random_floats(float *out, size_t n, double lo, double hi);
/** n floats of both signs with magnitudes from 2^-20 to 2^20: their sums have
 *  cancellation, which shows arithmetic in low precision. */
void random_wide_range(float *out, size_t n);
/** n floats with integral values, lo <= x <= hi: sums are exact. */
void random_integral(float *out, size_t n, int lo, int hi);
/** n bytes, 0..255. */
void random_bytes(uint8_t *out, size_t n);
/** n ints, lo <= x <= hi. */
void random_ints(int32_t *out, size_t n, int32_t lo, int32_t hi);
/** A seed from the system's generator; ends the process if there is none. */
uint64_t random_system_seed(void);

#endif
