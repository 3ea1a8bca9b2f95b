/* SPDX-License-Identifier: MIT */
/** @file
 *  What a watched case may cost: the counters that lab.ini sets budgets for.
 */
#ifndef GRADER_COST_H
#define GRADER_COST_H

#include <jansson.h>
#include <stdbool.h>

/** X(enumerator, name in lab.ini and result.json, words, keys of a kernel in
 *  the report whose sum it is; with @, a key of its time line) */
#define COST_LIST(X)                                                          \
    X(COST_SECTORS, "sectors", "sectors of global memory",                    \
      "global_load_sectors", "global_store_sectors", "global_atomic_sectors") \
    X(COST_REQUESTS, "requests", "requests to global memory",                 \
      "global_load_requests", "global_store_requests",                        \
      "global_atomic_requests")                                               \
    X(COST_CONFLICTS, "conflicts", "bank conflicts",                          \
      "shared_load_conflicts", "shared_store_conflicts", NULL)                \
    X(COST_WAVEFRONTS, "wavefronts", "wavefronts of shared memory",           \
      "shared_load_wavefronts", "shared_store_wavefronts", NULL)              \
    X(COST_ATOMICS, "atomics", "atomics, each lane's at one address",         \
      "global_atomic_passes", "shared_atomic_passes", NULL)                   \
    X(COST_BARRIERS, "barriers", "barriers", "barriers", NULL, NULL)          \
    X(COST_LAUNCHES, "launches", "launches", "launches", NULL, NULL)          \
    X(COST_TIMELINE, "timeline", "nanoseconds of the modelled time line",     \
      "@until_ns", NULL, NULL)                                                      \
    X(COST_CALLS, "calls", "calls that queue work", "@calls", NULL, NULL)

/** A counter with a budget. */
enum cost {
#define X(enumerator, name, words, a, b, c) enumerator,
    COST_LIST(X)
#undef X
    COSTS /**< how many there are */
};

/** Its name in lab.ini: "sectors". */
const char *cost_name(enum cost cost);
/** The same for people: "sectors of global memory". */
const char *cost_words(enum cost cost);
/** The counter of that name, or COSTS. */
enum cost cost_named(const char *name);
/** Add up a counter over the `kernels` of a report.
 *  @param[out] whole  false when, of some kernel, only some blocks were counted:
 *                     `value` is carried on to all of them then, an estimate
 *  @return false when a kernel does not have it as a whole number from 0 up */
bool cost_count(const json_t *kernels, enum cost cost, double *value,
                bool *whole);
/** Likewise of a whole report: its kernels, or its time line. */
bool cost_find(const json_t *report, enum cost cost, double *value,
               bool *whole);

#endif
