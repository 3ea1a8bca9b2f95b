/* SPDX-License-Identifier: MIT */
/** @file
 *  A lab and its settings, `grader/labs/NN_stem.ini`.
 *
 *      [lab]
 *      title     = Vector addition
 *      libraries = -lcudnn         ; linked with the runner; optional
 *      with      = 03 common/a.c   ; dependencies: other labs' references and
 *                                  ; C files of this project that the lab's
 *                                  ; submissions may call
 *      time      = 5               ; limit of one call, seconds
 *      memory    = 1024            ; limit of the runner, MiB
 *      memory gpu = 8192           ; the same on a card, for the larger timed
 *                                  ; runs there; default: `memory`
 *      modeled   = yes             ; the model ranks the ladder correctly:
 *                                  ; reports show the modeled speedup
 *      modeled on = wide           ; the watched case by which the model ranks
 *                                  ; the ladder, unless it is the first with a
 *                                  ; budget; it is not run in a grade
 *
 *      [function vector_add]       ; the lab's functions, described in
 *                                  ; grader/calls/contract.h; messages name
 *                                  ; the first one
 *      prototype = int vector_add(const float *a, float *b, size_t n)
 *      a = [n]
 *      b = [n]
 *
 *      [points]                    ; a key for each test of the suite, in order
 *      small = 10
 *
 *      [hints]                     ; shown when this is the first failing test
 *      small = Does a launch with n = 0 make sense?
 *
 *      [passed]                    ; shown at full marks: what to do next
 *      next = Try the experiments under "Go further".
 *
 *      [question]                  ; a number to predict, asked after the pass
 *      ask     = How many bank conflicts does a 32 x 32 tile cost when ...?
 *      answer  = 992
 *      within  = 0.02              ; relative tolerance; default: exact
 *      why     = A column lies in one bank: 31 conflicts each for 32 columns.
 *      counted = 2_tile.cu square conflicts 16 ; `prove` verifies the answer:
 *                                  ; this step's count in this watched case is
 *                                  ; 16 times it (any metric of metric.h)
 *
 *      [checks]                    ; soft device: the watched cases
 *      clean = 10                  ; points when the sanitizer finds nothing
 *
 *      [cost long]                 ; soft device: budgets of a watched case
 *      sectors = 8 2, 1.05 6       ; at most 8 times the unit: 2 points, ...
 *      launches = 1 4              ; earns points once those above are met,
 *      first = sectors             ; or with this line, once these are met
 *      [cost hints]
 *      sectors = Adjacent lanes should read adjacent elements.
 *      [staged hints]              ; in place of these for a kernel that uses
 *      sectors = Larger tiles.     ; shared memory already, or for a timeline
 *                                  ; within its first limit, or for few
 *                                  ; conflicts
 *      [strided hints]             ; or for one whose lanes access addresses
 *      sectors = Rows to threads.  ; that are far apart
 *
 *      [ladder]                    ; points of a step on the soft device
 *      1_naive.cu = 90
 *
 *      [slower]                    ; steps that the model ranks below an
 *      2_tile.cu = L1 delivers ... ; earlier one, and the reason; `prove`
 *                                  ; checks the order of all others
 *
 *      [speed gpu]                 ; a key for each timed run of the suite:
 *      large = 2                   ; its share of the points that checks and
 *                                  ; costs earn on the soft device; all of
 *                                  ; them at 0.9 of the reference's speedup,
 *                                  ; which is measured in the same run
 *      odd = 3.0 1                 ; the same, but all at a speedup of 3.0
 *                                  ; ([speed soft] for the soft device: points
 *                                  ; instead of shares; without a section
 *                                  ; nothing is timed there)
 *
 *  The student's file is `labs/NN_stem/stem.cu`, the contract `stem.h` beside
 *  it.  The ladder is `solutions/NN_stem/1_*.cu`, `2_*.cu`, ...: its first step
 *  is the baseline of speedups, its last step the reference, unless [lab] names
 *  others by `baseline = FILE` and `reference = FILE`; `handout = FILE` names
 *  the step that the handout is made from, unless it is the reference.  An
 *  unknown section or key, a missing one, and points for an unknown test are
 *  errors.
 */
#ifndef GRADER_LAB_H
#define GRADER_LAB_H

#include <stdbool.h>
#include <stddef.h>

#include "metric.h"
#include "suite_table.h"

enum {
    LAB_MAX_TESTS = 32,    /**< tests of a suite */
    LAB_MAX_SPEEDS = 8,    /**< timed runs */
    LAB_MAX_STEPS = 16,    /**< steps of a ladder */
    LAB_MAX_WATCHED = 32,  /**< watched cases */
    LAB_MAX_BUDGETS = 12,  /**< budgets */
    LAB_MAX_TIERS = 4,     /**< tiers of a budget */
    LAB_TEXT_SIZE = 512,   /**< bytes of a text in the settings */
    LAB_ERROR_SIZE = 1024, /**< bytes of an error message */
    LAB_DIGEST = 65        /**< a SHA-256 in hexadecimal with its NUL */
};

/** Points and hint of a test. */
struct lab_test {
    char name[64];            /**< as in the suite */
    double points;            /**< when it passes */
    char hint[LAB_TEXT_SIZE]; /**< for the first failing test; may be empty */
};

/** Target and points of a timed run. */
struct lab_speed {
    char name[64];    /**< as in the suite */
    bool is_timed[2]; /**< on this device, by enum device_kind */
    double target[2]; /**< speedup over the baseline that earns all points; 0:
                           measured; by enum device_kind */
    double points[2]; /**< at the target, or a share of them, by enum
                           device_kind */
};

/** Points for a metric of a watched case. */
struct lab_budget {
    size_t watched;               /**< index of the case */
    enum metric metric;           /**< what is counted */
    double limit[LAB_MAX_TIERS];  /**< multiples of the unit, descending */
    double points[LAB_MAX_TIERS]; /**< within that limit, ascending */
    size_t tiers;                 /**< number of tiers */
    bool is_optional; /**< the later budgets of its case do not wait for it */
    char hint[LAB_TEXT_SIZE];     /**< shown until all points are earned */
    char staged_hint[LAB_TEXT_SIZE]; /**< in its place, for a kernel that uses
                                          shared memory already, for a
                                          timeline in the first tier, or for
                                          conflicts in the last but one; or
                                          empty */
    char strided_hint[LAB_TEXT_SIZE]; /**< before both, for a kernel whose
                                           requests touch many sectors */
};

/** A number to predict. */
struct lab_question {
    char ask[LAB_TEXT_SIZE];    /**< the question; empty: none */
    char reason[LAB_TEXT_SIZE]; /**< shown with the right answer */
    double answer;      /**< the number */
    double tolerance;   /**< relative; 0: exact */
    char step[64];      /**< step of the ladder that verifies it, or empty */
    size_t watched;     /**< index of the case that is counted */
    enum metric metric; /**< what is counted */
    double unit;        /**< count / answer */
};

/** A lab with its settings. */
struct lab {
    char stem[64];                 /**< "01_vector_add" */
    char name[64];                 /**< "vector_add" */
    int number;                    /**< 1 */
    char title[LAB_TEXT_SIZE];     /**< "Add two vectors" */
    char function[64];             /**< that the submission must define */
    char prototype[LAB_TEXT_SIZE]; /**< its declaration */
    char thunk[256];        /**< a file of the source tree, or "": generated */
    char libraries[128];    /**< "-lcudnn -lcublas", or "" */
    char dependencies[256]; /**< "03 08 common/net/step.c", or "" */
    char next[LAB_TEXT_SIZE];      /**< shown at full marks */
    char baseline[64];             /**< step that speedups are measured by */
    char reference[64];            /**< step that solves the lab */
    char handout[64];              /**< step that the handout is made from */
    char step[LAB_MAX_STEPS][64];  /**< files of the ladder, in order */
    size_t steps;                  /**< number of steps */
    double seconds;                /**< limit of one call */
    size_t memory;                 /**< limit of the runner, bytes */
    size_t memory_gpu;             /**< the same on a card */
    bool modeled; /**< reports show the modeled speedup; [slower] is empty */
    size_t model_case; /**< 1 + index of the watched case that only `prove` and
                            `bench` model; 0: see lab_model_case() */
    struct lab_test test[LAB_MAX_TESTS];       /**< in the suite's order */
    size_t tests;                              /**< number of tests */
    size_t hidden; /**< the last of them, which hidden_add() added */
    char hidden_digest[LAB_DIGEST]; /**< SHA-256 of their files, or empty */
    struct lab_speed speed[LAB_MAX_SPEEDS];    /**< in the suite's order */
    size_t speeds;                             /**< number of timed runs */
    struct lab_question question;              /**< asked after the pass */
    double clean;                 /**< points when nothing was found */
    struct lab_budget budget[LAB_MAX_BUDGETS]; /**< as in the settings */
    size_t budgets;                            /**< number of budgets */
    /** Why the model ranks a step below an earlier one; empty: it must not. */
    char slower[LAB_MAX_STEPS][LAB_TEXT_SIZE];
    /** Points of a step on the soft device; negative: not checked. */
    double ladder[LAB_MAX_STEPS];
    const struct suite *suite;    /**< its tests */
};

/** The stem of the lab that is called 01, 1, vector_add or 01_vector_add.
 *  @return static text, or NULL when there is no such lab */
const char *lab_stem(const char *name);
/** Find a lab and read its settings.
 *  @param name  "01", "1", "01_vector_add" or "vector_add"
 *  @return false with one line in `error` (LAB_ERROR_SIZE bytes) */
bool lab_open(const char *name, struct lab *lab, char *error);
/** Read a settings file.
 *  @param lab  its `suite` names the tests
 *  @return false with one line in `error` (LAB_ERROR_SIZE bytes) */
bool lab_read(const char *path, struct lab *lab, char *error);
/** Make the lab's handout from a step and the patch of the handout.
 *  @return malloced text, or NULL with one line in `error` (LAB_ERROR_SIZE) */
char *lab_extract_handout(const struct lab *lab, char *error);
/** Is the value within the question's tolerance? */
bool is_right_answer(const struct lab_question *question, double value);
/** Index of the watched case whose modeled time ranks the lab's steps. */
size_t lab_model_case(const struct lab *lab);
/** List the labs that have a suite, in order.
 *  @return how many, at most `limit` */
size_t lab_stems(const char **stems, size_t limit);

#endif
