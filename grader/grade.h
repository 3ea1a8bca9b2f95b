/* SPDX-License-Identifier: MIT */
/** @file
 *  Grading one file of one lab.
 */
#ifndef GRADER_GRADE_H
#define GRADER_GRADE_H

#include "lab.h"
#include "suite_run.h"
#include "target.h"
#include "watch.h"

/** Version of the grader in result.json. */
#define GRADER_VERSION "0.1"

/** What to grade and how. */
struct task {
    const struct lab *lab;       /**< which lab */
    const struct target *target; /**< on which device */
    const char *source;  /**< the .cu file */
    uint64_t seed;       /**< of the inputs */
    bool speed;          /**< time it, when it is right */
    bool watch;          /**< soft device: check it, and count its costs */
    void (*progress)(const struct lab *lab, size_t test,
                     const struct outcome *outcome); /**< may be NULL */
    bool apart;          /**< watch also what is modelled apart */
    bool cpu;            /**< time by what all threads ran, not by the clock */
    /** When it says so of a test, the rest of them is left out (their verdict
     *  is UNMEASURED); NULL: all are run. */
    bool (*enough)(const struct outcome *outcome, const void *wanted);
    const void *wanted;  /**< handed to enough */
};

/** A timed run against the baseline. */
struct speed_outcome {
    enum verdict verdict; /**< PASS, SLOW, UNMEASURED, or why it failed */
    char message[MESSAGE_TEXT]; /**< why it is not PASS */
    double ratio;    /**< median of baseline's time by this one's */
    double spread;   /**< (largest - smallest) / median of the ratios */
    double seconds;  /**< median, on our clock, without the channel's share */
    double baseline; /**< likewise */
    int rounds;      /**< pairs measured */
    double score;    /**< points */
};

/** Points of what the watchers saw. */
struct watch_outcome {
    enum verdict verdict; /**< PASS, WRONG: findings, SLOW: a budget missed */
    char message[MESSAGE_TEXT]; /**< what is wrong, or the next tier needs */
    char review[REVIEW_TEXT];   /**< empty, or why a person should look */
    double score;               /**< points */
};

/** What came of a task: plain data, no pointers but to constant things. */
struct report {
    enum verdict verdict;       /**< PASS, or the first failing test's */
    char message[MESSAGE_TEXT]; /**< when it failed before any test ran */
    struct outcome test[LAB_TESTS]; /**< in the order of the suite */
    double test_score[LAB_TESTS];   /**< points of each */
    bool timed; /**< `speed` was measured */
    struct speed_outcome speed[LAB_SPEEDS]; /**< in the suite's order */
    bool undone; /**< tests that had passed do not count: grade_work() */
    bool watched;       /**< `watch` was made */
    struct watch watch; /**< what the watchers saw */
    struct watch_outcome clean;           /**< for no finding */
    struct watch_outcome cost[LAB_COSTS]; /**< in the order of lab.ini */
    double score;     /**< points of all */
    double max_score; /**< most there are on this device */
    double seconds; /**< all of it, wall clock */
};

/** Grade.  Never fails: what goes wrong is in the report. */
void grade(const struct task *task, struct report *report);
/** Run the lab's tests with the runner, through CUnit. */
void grade_tests(const struct task *task, struct session *session,
                 struct report *report);
/** Time the submission against the lab's baseline. */
void grade_speed(const struct task *task, struct session *session,
                 struct report *report);
/** Time one of the suite's runs on two runners in turns, the baseline's first;
 *  no round is begun after `seconds`.  What goes wrong is in `speed`. */
void grade_pair(const struct task *task, size_t index, double seconds,
                struct session *pair[2], struct speed_outcome *speed);
/** Run the watched cases on the runner that was built for them. */
void grade_watch(const struct task *task, const char *runner,
                 struct report *report);
/** After that: no test counts where the kernels cannot have done the work. */
void grade_work(const struct task *task, struct report *report);
/** Points for what they showed; only right programs get any.
 *  Adds to score and max_score. */
void grade_watch_score(const struct task *task, struct report *report);
/** Points of all tests and timed runs, and their sum. */
void grade_score(const struct task *task, struct report *report);
/** How many times as fast as the baseline the submission is modelled to be, on
 *  the described card; 0 when not known, or not known to rank rightly. */
double grade_modelled_ratio(const struct task *task,
                            const struct report *report);
/** The limits of a lab's runner on this device. */
struct limits grade_limits(const struct lab *lab,
                           const struct target *target);
/** The same of a watched runner. */
struct limits grade_watch_limits(const struct lab *lab,
                                 const struct target *target);

#endif
