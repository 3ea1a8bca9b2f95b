/* SPDX-License-Identifier: MIT */
/** @file
 *  Watched runs: cases of a lab's suite on a runner whose every access is
 *  reported to the software GPU's watchers.
 *
 *  What they found and counted comes back as a JSON file that the runner
 *  writes when it ends.  The student's code shares that process, so the file
 *  is somebody else's text: its size, its form and each of its members are
 *  checked, it earns no point that the outputs did not earn first, and a
 *  count that is too small to be true is told to a person.
 */
#ifndef GRADER_WATCH_H
#define GRADER_WATCH_H

#include <jansson.h>

#include "cost.h"
#include "lab.h"
#include "session.h"
#include "suite_run.h"

enum { FINDINGS_MOST = 32, PLACE_TEXT = 128 };

/** A defect that the watchers saw; all texts are the runner's, cleaned. */
struct finding {
    int rank;               /**< its kind, most telling first */
    const char *kind;       /**< "race_shared"; static */
    const char *words;      /**< "race in shared memory"; static */
    char kernel[64];        /**< or empty: on the host */
    char place[PLACE_TEXT]; /**< "transpose.cu:31:5", or empty */
    char other[PLACE_TEXT]; /**< of the other access, or empty */
    char message[320];      /**< a sentence */
    unsigned block[3];      /**< of the example */
    unsigned thread[3];     /**< likewise */
    double count;           /**< how often it was seen */
};

/** A counter of a case, beside what the suite says of it. */
struct counted {
    bool seen;     /**< it was counted, of all blocks */
    bool sampled;  /**< of some blocks only: `value` is an estimate, which earns
                        nothing */
    bool known;    /**< likewise, and the suite named a unit */
    double value;  /**< as the report has it */
    double least;  /**< fewer is impossible */
    double baseline; /**< what the ladder's first step counts; 0: not known */
    double unit;   /**< budgets are multiples of it */
    char per[64];  /**< "x the least there can be" */
};

/** One watched case. */
struct watched_case {
    bool done;              /**< it ran */
    bool told;              /**< its report was read */
    bool idle;              /**< and names no kernel */
    struct outcome outcome; /**< as of a test */
    struct counted cost[COSTS]; /**< by enum cost */
    double modelled;          /**< microseconds of a case much larger, or 0 */
    double modelled_baseline; /**< of the ladder's first step, or 0 */
};

/** What the watched cases came to. */
struct watch {
    struct watched_case cases[LAB_WATCHED]; /**< in the suite's order */
    struct finding finding[FINDINGS_MOST]; /**< most telling first */
    size_t findings;                       /**< of them */
};

/** What runs the cases. */
struct watching {
    const struct lab *lab;
    uint64_t seed;           /**< of the inputs */
    struct session *session; /**< its `report` is where the file is written */
    bool apart;              /**< run the case that is modelled apart, too */
};

/** Run one watched case, and add what was found to `watch`.
 *  @return the whole report, to be released; NULL when there is none */
json_t *watch_case(const struct watching *watching, size_t index,
                   struct watch *watch);
/** Run all of them that are asked for; stops after one that crashed or hung. */
void watch_all(const struct watching *watching, struct watch *watch);
/** The modelled microseconds of a case like the report's, but with so much work
 *  that a launch is nothing (watch_model.c).  @return 0 when not known */
double watch_modelled_us(const json_t *report);
/** Where findings are told: place, kind, block, thread, the other place. */
void watch_show_finding(FILE *out, const struct finding *finding);

/** Read a report as what it is, somebody else's file (watch_read.c).
 *  @return NULL with one line in `why` (256 bytes) */
json_t *watch_read(const char *path, char *why);
/** Add the report's findings to `watch`, and sort them. */
void watch_collect(const json_t *report, struct watch *watch);

#endif
