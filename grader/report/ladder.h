/* SPDX-License-Identifier: MIT */
/** @file
 *  Measuring a ladder on the soft device: for each step the counters, the
 *  modeled time, and the CPU time.
 */
#ifndef GRADER_BENCH_H
#define GRADER_BENCH_H

#include "grader/grade/grade.h"

/** Measurements of one step. */
struct step_result {
    bool is_measured;                   /**< the other members are valid */
    char reason[MESSAGE_SIZE];      /**< why not */
    struct watched_case counted; /**< of the first case with a budget; the
                                     modeled time is of lab_model_case() */
    struct speed_outcome speed;  /**< its CPU time and the baseline's */
};

/** Count and time every step of the lab's ladder, in the order of
 *  lab->step. */
void bench_ladder(const struct lab *lab, const struct target *target,
                  uint64_t seed, struct step_result step_result[LAB_MAX_STEPS]);
/** Write the measurements as a section of Markdown. */
void bench_write(FILE *out, const struct lab *lab,
                 const struct step_result *step_result);

#endif
