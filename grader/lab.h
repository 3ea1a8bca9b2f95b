/* SPDX-License-Identifier: MIT */
/** @file
 *  A lab: its folder, and what `lab.ini` there says of it.
 *
 *      [lab]
 *      title     = Vector addition
 *      function  = vector_add
 *      prototype = int vector_add(const float *a, const float *b, float *c, size_t n)
 *      libraries = -lcudnn         ; linked with the runner; may be left out
 *      with      = 03 common/a.c   ; other labs' references, and files of the
 *                                  ; house, that the lab's files may call
 *      time      = 5               ; seconds that one call may take
 *      memory    = 1024            ; MiB that the runner may hold
 *      memory gpu = 8192           ; likewise on a card, for the larger timed
 *                                  ; runs there; else `memory` counts
 *      modelled  = yes             ; the model has the ladder in order: show
 *                                  ; its ratio to the baseline
 *      modelled on = wide          ; the watched case that the ladder's order
 *                                  ; is held to, when it is not the first with
 *                                  ; a budget; grades leave it out
 *
 *      [points]                    ; a key for each test of the suite, in order
 *      small = 10
 *
 *      [hints]                     ; shown when that test is the first to fail
 *      small = Does a launch with n = 0 make sense?
 *
 *      [passed]                    ; shown at full marks: where to go next
 *      next = Try the experiments under "Go further".
 *
 *      [question]                  ; a number to predict, asked after the pass
 *      ask     = How many bank conflicts does a 32 x 32 tile cost when ...?
 *      answer  = 992
 *      within  = 0.02              ; share it may be off by; exact without
 *      why     = A column lies in one bank: 31 conflicts each for 32 columns.
 *      counted = 2_tile.cu square conflicts 16 ; `prove` holds the answer true:
 *                                  ; that step's count in that watched case is
 *                                  ; 16 times it (any counter of cost.h)
 *
 *      [checks]                    ; soft device: the watched cases
 *      clean = 10                  ; points when no watcher finds anything
 *
 *      [cost long]                 ; soft device: a watched case of the suite
 *      sectors = 8 2, 1.05 6 ; at most 8 times its unit: 2 points, ...
 *      launches       = 1 4        ; counts only once those above are at best
 *      [cost hints]
 *      sectors = Neighbouring lanes should read neighbouring elements.
 *
 *      [ladder]                    ; points of a step on the soft device
 *      1_naive.cu = 90
 *
 *      [slower]                    ; steps that the model has slower than one
 *      2_tile.cu = Bytes of L1 ... ; before them, and why; `prove` holds all
 *                                  ; others to the ladder's order
 *
 *      [speed gpu]                 ; a key for each timed run of the suite
 *      large = 2.0 20              ; target ratio, points at the target
 *                                  ; (likewise [speed soft], for times on this
 *                                  ; computer; without it nothing is timed)
 *
 *  The student's file is `stem.cu`, the contract `stem.h`.  The ladder is
 *  `solutions/NN_stem/1_*.cu`, `2_*.cu`, ...: the first step is the baseline of
 *  the speed, the last the reference, unless [lab] names others by
 *  `baseline = FILE` and `reference = FILE`; `handout = FILE` names the step
 *  that the handout is cut from, if not the reference.  An unknown section
 *  or key, a missing one, or points for a test that is not there, is an error.
 */
#ifndef GRADER_LAB_H
#define GRADER_LAB_H

#include <stdbool.h>
#include <stddef.h>

#include "suite.h"

enum {
    LAB_TESTS = 32,  /**< most tests of a suite */
    LAB_SPEEDS = 8,  /**< most timed runs */
    LAB_STEPS = 16,  /**< most steps of a ladder */
    LAB_WATCHED = 32, /**< most watched cases (tests, if it names none) */
    LAB_COSTS = 8,   /**< most budgets */
    LAB_TIERS = 4,   /**< most tiers of a budget */
    LAB_TEXT = 512,  /**< bytes of a text in lab.ini */
    LAB_ERROR = 1024 /**< bytes of an error's line */
};

/** Points and hint of a test. */
struct lab_test {
    char name[64];       /**< as in the suite */
    double points;       /**< when it passes */
    char hint[LAB_TEXT]; /**< when it is the first to fail; may be empty */
};

/** Target and points of a timed run. */
struct lab_speed {
    char name[64];    /**< as in the suite */
    double target[2]; /**< ratio to the baseline, by enum device_kind */
    double points[2]; /**< at the target, by enum device_kind */
};

/** Points for a counter of a watched case. */
struct lab_cost {
    size_t watched;          /**< which case */
    enum cost cost;          /**< which counter */
    double most[LAB_TIERS];  /**< multiples of the suite's unit, falling */
    double points[LAB_TIERS]; /**< for at most that many, rising */
    size_t tiers;            /**< of them */
    char hint[LAB_TEXT];     /**< while it has not all its points */
};

/** A number to predict. */
struct lab_question {
    char ask[LAB_TEXT]; /**< the question; empty: none */
    char why[LAB_TEXT]; /**< shown with the right answer */
    double answer;      /**< the number */
    double within;      /**< share that an answer may be off by */
    char step[64];      /**< of the ladder, whose count decides; or empty */
    size_t watched;     /**< in this case */
    enum cost cost;     /**< this counter */
    double unit;        /**< the count is so many times the answer */
};

/** A lab as configured. */
struct lab {
    char stem[64];  /**< "01_vector_add" */
    char name[64];  /**< "vector_add" */
    int number;     /**< 1 */
    char title[LAB_TEXT];     /**< "Add two vectors" */
    char function[64];        /**< name that the student must define */
    char prototype[LAB_TEXT]; /**< its declaration */
    char libraries[128];      /**< "-lcudnn -lcublas", or "" */
    char with[256];           /**< "03 08 common/net/step.c", or "" */
    char next[LAB_TEXT];      /**< shown at full marks */
    char baseline[64];        /**< file of the ladder that speed is against */
    char reference[64];       /**< file of the ladder that is the answer */
    char handout[64];         /**< file that the handout is cut from */
    char step[LAB_STEPS][64]; /**< files of the ladder, in order */
    size_t steps;             /**< of the ladder */
    double seconds;           /**< one call may take */
    size_t memory; /**< bytes */
    size_t memory_gpu; /**< bytes on a card */
    bool modelled; /**< show the modelled ratio to the baseline; no step may
                        then be in [slower] */
    size_t apart;  /**< 1 + index of the watched case that is modelled for
                        `prove` and `bench` alone; 0: lab_modelled's is */
    struct lab_test test[LAB_TESTS]; /**< in the order of the suite */
    size_t tests;                    /**< of them */
    struct lab_speed speed[LAB_SPEEDS]; /**< in the order of the suite */
    size_t speeds;                   /**< of them */
    struct lab_question question; /**< asked after the pass */
    double clean; /**< points when no watcher finds anything */
    struct lab_cost cost[LAB_COSTS]; /**< in the order of lab.ini */
    size_t costs;                    /**< of them */
    char slower[LAB_STEPS][LAB_TEXT]; /**< why the model has that step slower
                                   than one before it; empty: it must not */
    double ladder[LAB_STEPS]; /**< points that a step must get on the soft
                                   device; below 0: not said */
    const struct suite *suite;       /**< its tests */
};

/** Find a lab by "01", "1", "01_vector_add" or "vector_add" and read its
 *  lab.ini.  @return false with one line in `error` (LAB_ERROR bytes). */
bool lab_open(const char *name, struct lab *lab, char *error);
/** Read a lab.ini into `lab`, whose `suite` says which tests there are.
 *  @return false with one line in `error`. */
bool lab_read(const char *path, struct lab *lab, char *error);
/** Is the value as near to the answer as the question asks? */
bool question_right(const struct lab_question *question, double value);
/** Index of the watched case that stands for the lab in the model. */
size_t lab_modelled(const struct lab *lab);
/** The labs that have a suite, in order.  @return how many. */
size_t lab_stems(const char **stems, size_t most);

#endif
