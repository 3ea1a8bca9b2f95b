/* SPDX-License-Identifier: MIT */
/** @file
 *  Watched cases: small cases of a lab's suite on an instrumented runner, in
 *  which the software GPU's sanitizer and profiler see every access.
 *
 *  The runner writes its findings and counters to a JSON file when it ends.
 *  The submission runs in that process, so the file is untrusted: its size, its
 *  form and each member are checked, it earns no points for a program whose
 *  outputs are wrong, and a count below the possible minimum is flagged for a
 *  person.
 */
#ifndef GRADER_WATCH_H
#define GRADER_WATCH_H

#include <jansson.h>

#include "grader/lab/lab.h"
#include "grader/lab/metric.h"
#include "grader/session/session.h"
#include "grader/suite/run.h"

enum { MAX_FINDINGS = 32, LOCATION_SIZE = 128 };

/** A defect that the sanitizer found; its texts come from the runner, with
 *  control characters removed. */
struct finding {
    int rank;               /**< of its kind, the most serious first */
    const char *kind;       /**< "race_shared"; static */
    const char *title;      /**< "race in shared memory"; static */
    char kernel[64];        /**< or empty: on the host */
    char location[LOCATION_SIZE]; /**< "transpose.cu:31:5", or empty */
    char other_location[LOCATION_SIZE]; /**< of the other access, or of the
                                             memory's allocation; or empty */
    char message[400];      /**< a sentence */
    unsigned block[3];      /**< blockIdx of the example */
    unsigned thread[3];     /**< threadIdx of the example */
    double count;           /**< how often it occurred */
};

/** Result of one watched case. */
struct watched_case {
    bool was_run;           /**< the case ran */
    bool has_report;        /**< its report was read */
    bool is_unreported;     /**< outputs are right, but no report is readable */
    bool is_interleavable;  /**< it accesses global memory atomically */
    bool has_no_kernels;    /**< the report has no kernel */
    struct outcome outcome; /**< as of a test */
    struct counter counter[METRICS]; /**< by enum metric */
    unsigned block_threads;  /**< of the kernel with most requests to global
                                  memory; 0: not known */
    double modeled;          /**< us of the case scaled up; 0: not known */
    double modeled_baseline; /**< the same of the ladder's first step */
};

/** Results of all watched cases. */
struct watch {
    struct watched_case cases[LAB_MAX_WATCHED]; /**< in the suite's order */
    struct finding finding[MAX_FINDINGS]; /**< the most serious first */
    size_t findings;                      /**< number of findings */
};

/** How the cases are run. */
struct watch_run {
    const struct lab *lab;   /**< whose cases */
    uint64_t seed;           /**< of the inputs */
    struct session *session; /**< its `report` names the JSON file */
    bool model_case;         /**< also run the case that only is modeled */
};

/** Run one watched case, and add its findings to `watch`.
 *  @return the whole report, for json_decref; NULL when there is none */
json_t *watch_case(const struct watch_run *watch_run, size_t index,
                   struct watch *watch);
/** Run one test of the suite on the instrumented runner, up to its first call
 *  with more than 16 MiB of arrays (UNMEASURED).  Its outcome is that of
 *  `watch->cases[0]`, and its findings are added to `watch`. */
void watch_test(const struct watch_run *watch_run,
                const struct suite_test *test, struct watch *watch);
/** Run all watched cases; stops after one that crashed or timed out. */
void watch_all(const struct watch_run *watch_run, struct watch *watch);
/** Modeled microseconds of the report's kernels with 1024 times as many blocks,
 *  so that launch latency does not count (watch_modeled_time.c).
 *  @return 0 when not known */
double scaled_modeled_us(const json_t *report);

/** Read a report, an untrusted file of at most 1 MiB: a throw-away child parses
 *  it and checks the range of each member (report_reader.c).
 *  @param[out] is_ours  it could not be read by no fault of its own
 *  @return NULL with one line in `reason` (256 bytes) */
json_t *read_report(const char *path, char *reason, bool *is_ours);
/** Add the report's findings to `watch`, sorted; equal ones are merged, and
 *  those that others explain are dropped. */
void collect_findings(const json_t *report, struct watch *watch);
/** Say in the message of a finding in another lab's reference, which the
 *  submission calls, whose code that is (watch_report.c). */
void tell_references(const struct lab *lab, struct watch *watch);
/** The finding of which another one is a consequence: of races between the same
 *  lines that between most threads, of an access outside an allocation what it
 *  meets there.  @return NULL when there is none */
const struct finding *find_cause(const struct watch *watch,
                                 const struct finding *finding);

#endif
