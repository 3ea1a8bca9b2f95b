/* SPDX-License-Identifier: MIT */
/** @file
 *  A ladder on the soft device: what each step counts, what the model makes of
 *  that, and what it takes of this
 *  computer.
 */
#ifndef GRADER_BENCH_H
#define GRADER_BENCH_H

#include "grade.h"

/** One step. */
struct rung {
    bool told;                   /**< it was counted and timed */
    char why[MESSAGE_TEXT];      /**< if not */
    struct watched_case counted; /**< of the first case with a budget; its
                                     modelled time is lab_modelled's case's */
    struct speed_outcome speed;  /**< its CPU time, beside the baseline's */
};

/** Count and time every step of the lab's ladder; rung[i] is lab->step[i]. */
void bench_ladder(const struct lab *lab, const struct target *target,
                  uint64_t seed, struct rung rung[LAB_STEPS]);
/** Write what was found as a section of Markdown. */
void bench_show(FILE *out, const struct lab *lab, const struct rung *rung);

#endif
