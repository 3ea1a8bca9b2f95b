/* SPDX-License-Identifier: MIT */
/** @file
 *  Timing runners in turns: A B C A B C ..., so that other load on the machine
 *  and the card's temperature affect all of them.
 */
#ifndef GRADER_TIMING_H
#define GRADER_TIMING_H

#include "card.h"
#include "grader/suite/run.h"

/** The runners of a timed run, in the order of their turns. */
enum timed_side { SIDE_BASELINE, SIDE_FILE, SIDE_REFERENCE, SIDES };

enum { MAX_ROUNDS = 64 /**< of a timed run */ };

/** How often to measure. */
struct timing_rules {
    int min_rounds;  /**< at least this many rounds */
    int max_rounds;  /**< at most this many; up to MAX_ROUNDS */
    double warm_up;  /**< seconds of rounds that do not count; one at least */
    double seconds;  /**< after this time only the least rounds are made */
    int attempts;    /**< measure again, up to so many times, with twice the
                          rounds each time */
    double pause;    /**< seconds between two attempts */
    double max_drift; /**< largest change of the baseline during a run and,
                          with the reference, from what was stored */
    double max_noise; /**< largest fraction of a graded run's points that the
                           interval of the ratio may decide */
    double max_width; /**< largest width of that interval, by the ratio, of a
                           run that is not graded */
    bool use_cpu_time; /**< processor seconds of all threads */
};

/** A program to time. */
struct timed_run {
    const struct lab *lab;  /**< its suite has the run */
    size_t index;           /**< of the run, in the suite's `speeds` */
    uint64_t seed;          /**< of the inputs, another in each round */
    struct session *session[SIDES]; /**< SIDE_REFERENCE may be NULL */
    const struct card *card; /**< is looked at between rounds; or NULL */
};

/** Times of a run, without the overhead of a call. */
struct timing {
    int rounds;   /**< of each side */
    double seconds[SIDES][MAX_ROUNDS]; /**< in the order of the rounds */
    int failed;   /**< the side whose call failed, or -1 */
    struct outcome outcome; /**< that failure */
    char unfit[MESSAGE_SIZE]; /**< why the machine is unfit to time; or "" */
};

/** Time the runners in turns.  Every call has fresh inputs, the same for all
 *  sides of a round, and its output is checked like a test's.  The overhead of
 *  the channel is measured with empty calls of the baseline's runner, and
 *  subtracted.
 *  @return false when a call failed */
bool time_interleaved(const struct timed_run *run,
                      const struct timing_rules *rules, struct timing *timing);

#endif
