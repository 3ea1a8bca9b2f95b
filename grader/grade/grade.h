/* SPDX-License-Identifier: MIT */
/** @file
 *  Grading one submission: its tests, its checks and budgets, its speed.
 */
#ifndef GRADER_GRADE_H
#define GRADER_GRADE_H

#include "common/base/paths.h"
#include "common/base/target.h"
#include "grader/build/recipe.h"
#include "grader/lab/lab.h"
#include "grader/suite/run.h"
#include "speed.h"
#include "watch.h"

/** Version of the grader in result.json. */
#define GRADER_VERSION "0.1"

/** A submission to grade, and how. */
struct task {
    const struct lab *lab;       /**< which lab */
    const struct target *target; /**< on which device */
    const char *source;  /**< the .cu file */
    uint64_t seed;       /**< of the inputs */
    const char *only;    /**< run only the test of this name; NULL: all */
    bool speed;          /**< time it when all tests pass */
    bool watch;          /**< soft device: run the watched cases, too */
    void (*progress)(const struct lab *lab, size_t test,
                     const struct outcome *outcome); /**< may be NULL */
    void (*begin)(const char *part); /**< called before a test, with its name,
                             before the checks and before the timed runs; may
                             be NULL */
    bool watch_only;     /**< run only the watched cases; with `watch` */
    bool model_case;     /**< also run the case that only the model uses */
    const struct card *card; /**< is looked at while it is timed; or NULL */
    const struct calibration *calibration; /**< of the card, or NULL */
    enum effort effort;  /**< how far the file is optimized */
    const char *step;    /**< a step of the ladder: its runners are kept */
    const char *object_folder; /**< keeps the objects; or NULL */
    const char *runners; /**< folder that keeps the runners for another grade of
                              the same file, or NULL */
    /** True of a test after which the others are not run (their verdict is
     *  UNMEASURED); NULL: all tests run. */
    bool (*should_stop)(const struct outcome *outcome, const void *data);
    const void *stop_data; /**< second argument of should_stop */
};

/** Points of the instrumented runs. */
struct watch_outcome {
    enum verdict verdict; /**< PASS, WRONG: findings, SLOW: over budget */
    char message[MESSAGE_SIZE]; /**< the error, or what the next tier needs */
    char review[REVIEW_SIZE];   /**< empty, or why a person should look */
    double score;               /**< points */
    bool waits; /**< a budget that is met: an earlier one keeps its points */
};

/** A session with an instrumented runner. */
struct watched_session {
    char scratch[PATH_MAX];     /**< folder that the runner may write to */
    char path[PATH_MAX + 16];   /**< of the JSON report in it */
    struct session session;     /**< with the runner */
    struct watch_run watch_run; /**< how cases are run */
};

/** Result of a task. */
struct report {
    enum verdict verdict;       /**< PASS, or the first failing test's */
    char message[MESSAGE_SIZE]; /**< when it failed before any test ran */
    char review[REVIEW_SIZE];   /**< of the program; see build_result */
    struct outcome test[LAB_MAX_TESTS]; /**< in the order of the suite */
    double test_score[LAB_MAX_TESTS];   /**< points of each test */
    bool timed;                 /**< `speed` was measured */
    struct speed_outcome speed[LAB_MAX_SPEEDS]; /**< in the suite's order */
    bool test_has_finding[LAB_MAX_TESTS]; /**< it passed, but see
                                     fail_tests_with_findings() */
    int test_finding_rank[LAB_MAX_TESTS]; /**< then the finding's: the most
                                               serious has the lowest */
    bool device_work_missing;   /**< passed tests do not count: see
                                     check_device_work() */
    char missing_work[MESSAGE_SIZE]; /**< then the reason */
    bool watched;               /**< `watch` was filled in */
    struct watch watch;         /**< findings and counters */
    struct watch_outcome clean; /**< points when nothing was found */
    struct watch_outcome budget[LAB_MAX_BUDGETS]; /**< as in the settings */
    char warnings[PRINTED_SIZE]; /**< of the compiler, a line each */
    double score;               /**< all points */
    double max_score;           /**< most points on this device */
    double unmeasured;          /**< points of timed runs that could not be
                                     measured: neither earned nor lost */
    double seconds;             /**< wall-clock time of the task */
};

/** Grade a submission.  Failures of all kinds are in the report. */
void grade(const struct task *task, struct report *report);
/** Run the lab's tests with the runner, through CUnit. */
void grade_tests(const struct task *task, struct session *session,
                 struct report *report);
/** Time the submission, the lab's baseline and its reference. */
void grade_speed(const struct task *task, struct session *session,
                 struct report *report);
/** Points of a timed run.  On a card, speed earns what checks and costs earn on
 *  the soft device, shared out as the settings say, in whole points. */
double speed_points(const struct task *task, size_t index);
/** Run the watched cases on an instrumented runner. */
void grade_watch(const struct task *task, const char *runner,
                 struct report *report);
/** Open a session with an instrumented runner, in a folder of its own.
 *  @param[out] opened  session_free(&opened->session) ends it
 *  @return false with errno set when there is no folder */
bool grade_watch_open(const struct task *task, const char *runner,
                      struct watched_session *opened);
/** Run one watched case, or all for a negative `only`.
 *  @return false with errno set when there is no folder for the runner */
bool grade_watch_run(const struct task *task, const char *runner, int only,
                     struct watch *watch);
/** Set what the ladder's first step counts in the first case with a budget, for
 *  comparison (watch_baseline.c). */
void grade_watch_baseline(const struct task *task, struct watch *watch);
/** After grade_watch(): when a watched case found a race, an invalid access or
 *  a barrier that threads missed, run the tests that passed once more,
 *  instrumented.  Those in which such a finding arises fail.  When tests failed
 *  and no case found anything, look for a cause in up to two of these. */
void fail_tests_with_findings(const struct task *task, const char *runner,
                              struct report *report);
/** Is there such a finding? */
bool has_unreliable_outputs(const struct watch *watch);
/** The verdict of the first failing test; PASS when none failed. */
enum verdict overall_verdict(const struct task *task,
                             const struct report *report);
/** After grade_watch(): no test counts when the counters show that the kernels
 *  cannot have done the work. */
void check_device_work(const struct task *task, struct report *report);
/** After grade_tests(): no test counts when the host did in one of them what
 *  the device should do. */
void check_host_work(const struct task *task, struct report *report);
/** Compute the points of the watched cases; only correct programs get any.
 *  Adds to score and max_score. */
void grade_watch_score(const struct task *task, struct report *report);
/** Compute the points of all tests and timed runs, and their sum. */
void grade_score(const struct task *task, struct report *report);
/** Modeled speedup over the baseline on the described card; 0 when it is not
 *  known, or the model does not rank the lab's ladder correctly. */
double modeled_ratio(const struct task *task, const struct report *report);
/** Limits of a lab's runner on this device. */
struct limits grade_limits(const struct lab *lab,
                           const struct target *target);
/** Limits of its instrumented runner. */
struct limits grade_watch_limits(const struct lab *lab,
                                 const struct target *target);

#endif
