/* SPDX-License-Identifier: MIT */
/** @file
 *  A timed run of a lab: the baseline, a file and the reference in turns, and
 *  what follows from their times.
 */
#ifndef GRADER_SPEED_H
#define GRADER_SPEED_H

#include "calibration.h"
#include "timing.h"

/** A timed run compared with the baseline. */
struct speed_outcome {
    enum verdict verdict; /**< PASS, SLOW, UNMEASURED, or why it failed */
    char message[MESSAGE_SIZE]; /**< why it is not PASS */
    double ratio;    /**< speedup: median of baseline time / submission time */
    double low, high; /**< confidence interval of that median */
    double spread;   /**< (largest - smallest) / median of the ratios */
    double seconds;  /**< median of the submission, without the overhead */
    double baseline; /**< median of the baseline, without the overhead */
    double reference; /**< median of the reference; 0: it was not timed */
    double reference_ratio; /**< the reference's speedup; 0: not timed */
    double target;   /**< ratio that earns all points */
    int rounds;      /**< of the last attempt */
    int attempts;    /**< times that it was measured */
    size_t step;     /**< steps of the ladder that it has reached */
    bool step_known; /**< the ladder was measured on this card */
    char note[MESSAGE_SIZE]; /**< why the step is not known */
    double score;    /**< points */
};

/** How to compare a file with a ladder. */
struct speed_task {
    struct timed_run run;            /**< runners and inputs */
    const struct timing_rules *rules; /**< how often to measure */
    const struct calibration *calibration; /**< of this card, or NULL: the step
                                                is not named */
    double target; /**< ratio that earns all points; 0: reference_share of the
                        reference's */
    bool is_graded; /**< points depend on it: measure until the noise decides
                         about few of them */
};

/** Rules for a card, and for files that are compared there. */
extern const struct timing_rules card_rules;

/** Measure a file, and again when the measurement is not fit: another process
 *  used the card, its clocks were lowered, the baseline drifted, the interval
 *  of the ratio contains a step's threshold, or decides about many points.
 *  After the last attempt the verdict is UNMEASURED, with the reason. */
void measure_speed(const struct speed_task *task, struct speed_outcome *speed);
/** Summarize times: medians, ratios, the interval. */
void summarize_times(struct timing *timing, struct speed_outcome *speed);
/** Measure every step of a ladder.
 *  @param task    its session[SIDE_FILE] and session[SIDE_REFERENCE] are set
 *                 here
 *  @param steps   runners, as lab->step; one is the reference's
 *  @param[out] run    what calibration_set() stores
 *  @param[out] reason MESSAGE_SIZE bytes: which step could not be measured
 *  @return false when one could not */
bool measure_ladder(const struct speed_task *task, struct session *steps[],
                    struct session *reference, struct calibrated_run *run,
                    char *reason);

#endif
