/* SPDX-License-Identifier: MIT */
/** @file
 *  Helpers of the checks of types and functions: counting, test numbers.
 *
 *  A check is a test program of its own with exit status 0 only if all
 *  comparisons hold.  make builds it with g++, types.c with other compilers.
 */
#ifndef CHECK_H
#define CHECK_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static long checked, failed; /* comparisons, and failed ones */

/** Count a comparison; the first twelve failures are printed. */
#define CHECK(condition, ...)                                             \
    do {                                                                  \
        checked++;                                                        \
        if (!(condition) && ++failed <= 12) {                             \
            printf("line %d: %s: ", __LINE__, #condition);                \
            printf(__VA_ARGS__);                                          \
            printf("\n");                                                 \
        }                                                                 \
    } while (0)

/** Equal bits, or both NaN. */
template <typename T> static inline bool same(T a, T b)
{
    return (a != a && b != b) || memcmp(&a, &b, sizeof a) == 0;
}

/** The next number of a fixed pseudo-random sequence. */
static inline uint64_t next_random(void)
{
    static uint64_t state = 20240229;
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

/** A number of type T with random bits. */
template <typename T> static inline T any(void)
{
    uint64_t r = next_random();
    T x;
    memcpy(&x, &r, sizeof x);
    return x;
}

/** Print the count, and in the form that is counted that this is one test.
 *  @return the status to exit with */
static inline int print_counts(void)
{
    int held = failed == 0 && checked > 0;
    printf("%ld comparisons, %ld wrong\n", checked, failed);
    printf("%d passed, %d failed\n", held, !held);
    return !held;
}

#endif
