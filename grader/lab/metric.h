/* SPDX-License-Identifier: MIT */
/** @file
 *  Metrics of a watched case: what the lab's settings set budgets for.
 */
#ifndef GRADER_COST_H
#define GRADER_COST_H

#include <jansson.h>
#include <stdbool.h>

/** X(enumerator, name in the settings and in result.json, description, keys of
 *  a kernel in the report whose sum it is; with @, a key of its timeline).
 *  METRIC_SERIAL is the percentage of that sum which the busiest block of each
 *  launch has.  What METRIC_TENSOR lacks of its unit is added to
 *  METRIC_ARITHMETIC: it was done elsewhere, as by integers, which are not
 *  counted.  Lanes that load different words of constant memory take turns, as
 *  lanes that load other sectors do: METRIC_SECTORS has these turns, too. */
#define METRIC_LIST(X)                                                        \
    X(METRIC_SECTORS, "sectors", "sectors of global memory",                  \
      "global_load_sectors", "global_store_sectors", "global_atomic_sectors", \
      "constant_replays")                                                     \
    X(METRIC_REQUESTS, "requests", "requests to global memory",               \
      "global_load_requests", "global_store_requests",                        \
      "global_atomic_requests")                                               \
    X(METRIC_SERIAL, "serial", "percent of the requests, in one block",       \
      "global_load_requests", "global_store_requests",                        \
      "global_atomic_requests")                                               \
    X(METRIC_ARITHMETIC, "arithmetic", "operations outside of tensor cores",  \
      "flop_half", "flop_float", "flop_double")                               \
    X(METRIC_TENSOR, "tensor", "operations of tensor cores", "flop_tensor")   \
    X(METRIC_CONFLICTS, "conflicts", "bank conflicts",                        \
      "shared_load_conflicts", "shared_store_conflicts")                      \
    X(METRIC_WAVEFRONTS, "wavefronts", "wavefronts of shared memory",         \
      "shared_load_wavefronts", "shared_store_wavefronts")                    \
    X(METRIC_ATOMICS, "atomics", "atomics, serialized lanes each",            \
      "global_atomic_passes", "shared_atomic_passes", "barrier_arrivals")     \
    X(METRIC_BARRIERS, "barriers", "barriers", "barriers", "barrier_phases")  \
    X(METRIC_LAUNCHES, "launches", "launches", "launches")                    \
    X(METRIC_TIMELINE, "timeline", "nanoseconds of the modeled timeline",     \
      "@until_ns")                                                            \
    X(METRIC_CALLS, "calls", "calls that enqueue work", "@calls")

/** Metrics: the counts of a budget. */
enum metric {
#define X(enumerator, ...) enumerator,
    METRIC_LIST(X)
#undef X
    METRICS /**< number of metrics */
};

/** The value of a metric in one case, and what the suite says of it. */
struct counter {
    bool is_complete;   /**< all blocks were counted */
    bool is_sampled;    /**< some blocks were counted: `value` is extrapolated
                             and earns no points */
    bool has_unit;      /**< complete, and the suite named a unit */
    double value;       /**< as reported */
    double minimum;     /**< no correct program counts less */
    double baseline;    /**< of the ladder's first step; 0: not known */
    double unit;        /**< budgets are multiples of it */
    char unit_text[64]; /**< "x the minimum" */
};

/** Name in the settings: "sectors". */
const char *metric_name(enum metric metric);
/** Description for reports: "sectors of global memory". */
const char *metric_description(enum metric metric);
/** The metric of that name, or METRICS. */
enum metric metric_from_name(const char *name);
/** Sum a metric over the `kernels` of a report.
 *  @param[out] value        extrapolated to all blocks where only some blocks
 *                           of a kernel were counted
 *  @param[out] is_complete  false in that case
 *  @return false when a kernel lacks it, or has something else than a count */
bool metric_sum(const json_t *kernels, enum metric metric, double *value,
                bool *is_complete);
/** The same for a whole report: its kernels, or its timeline. */
bool metric_read(const json_t *report, enum metric metric, double *value,
                 bool *is_complete);
/** Threads of a block of the kernel with most requests to global memory; 0: not
 *  known, or a kernel of a library.
 *  @param kernels  of a report */
unsigned metric_block_threads(const json_t *kernels);

#endif
