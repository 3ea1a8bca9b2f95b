/* SPDX-License-Identifier: MIT */
/** @file
 *  State of the running test.  CUnit's tests take no argument, so it is a
 *  global, the only one of the grader.
 */
#ifndef GRADER_SUITE_STATE_H
#define GRADER_SUITE_STATE_H

#include "grader/channel/frame.h"
#include "compare.h"
#include "run.h"
#include "small_case.h"

/** What a message about memory that was not freed tells, as the `detail` of an
 *  outcome; wrong elements tell more. */
enum {
    LEAK_AFTER_ERROR = 1, /**< by a test of errors, or after one */
    LEAK = 2              /**< of a call that did not fail */
};

/** An array that is freed when the test ends. */
struct allocation {
    struct allocation *next; /**< the previous one */
    size_t bytes;            /**< of the array, which follows at
                                  SUITE_ALIGNMENT bytes */
    void *block;             /**< malloced, holds both */
    const void *key;         /**< of suite_kept_floats(), or NULL */
};

enum {
    SUITE_ALIGNMENT = 64, /**< of the suite's arrays */
    SUITE_MISALIGNED = 8, /**< arrays that suite_misalign() names */
    PASSED_CASES = 4      /**< that are remembered */
};

/** Misalignment of an array in the next calls. */
struct misalignment {
    const char *name; /**< of the parameter; NULL ends the list */
    size_t bytes;     /**< from a multiple of 256 */
};

/** State between test_begin() and test_end(). */
struct suite_state {
    struct session *session; /**< the runner that calls go to */
    const struct lab *lab;   /**< whose test it is */
    struct outcome *outcome; /**< its result */
    enum call_mode mode;     /**< CALL_EMPTY while the overhead is timed */
    struct frame frame;   /**< the last call */
    struct arg decoded;   /**< of the next call (call_decoded()), or kind 0 */
    const char *parameters; /**< "sum(a, b)"; NULL: the prototype's */
    uint64_t poison;      /**< of the last call */
    struct small_array input[SMALL_CASE_ARRAYS]; /**< of the last call */
    size_t inputs; /**< of them; SIZE_MAX when one cannot be shown */
    struct reply reply; /**< to the last call */
    char case_text[128];      /**< "n = 257" */
    bool is_checked;          /**< a call of the case returned what it should */
    char passed[PASSED_CASES][128]; /**< the last ones before it */
    unsigned passed_cases;    /**< how many there were */
    bool is_past_failure;     /**< a later case than the failed one was named */
    size_t most_bytes;        /**< arrays of a larger call end the test; 0:
                                   no call is too large */
    struct counter *counters; /**< of a watched case, or NULL */
    struct allocation *arrays; /**< of suite_floats() and the like */
    struct misalignment misaligned[SUITE_MISALIGNED]; /**< of generated stubs */
    bool in_place;     /**< outputs are inputs, where the lab allows it */
    double call_seconds; /**< limit of a call before it was lowered, or 0 */
    bool sparse;       /**< arrays that the suite did not allocate are sparse */
    bool is_slow;      /**< the last call took too long in sparse memory */
    char slow_at[160]; /**< "; it was running at add.cu:7" then, or empty */
    unsigned char element_bytes[FRAME_MAX_ARGS]; /**< of sparse arguments */
    bool keep_outputs; /**< outputs start with the suite's content */
    const char *overrun_hint; /**< in place of the general one, or NULL */
    mistakes *mistakes;    /**< of comparisons that name none, or NULL */
    const void *mistakes_context; /**< its argument */
    const struct response *response; /**< of comparisons that have none, or
                                          NULL */
    size_t output_seen;    /**< bytes of the runner's stdout that were kept */
    int64_t failure_status; /**< what a call of the lab returned in which one of
                                 the runtime was made to fail, or 0 */
    size_t failure_printed; /**< bytes of the runner's stderr up to the end of
                                 the last call whose error was asked for */
    double *previous;      /**< the last correct output */
    size_t previous_count; /**< its elements */
    struct frame previous_frame; /**< its call */
    uint32_t previous_grid[3]; /**< of its last launch */
    bool rounded_up; /**< a correct output was that of one launch with more
                          threads than elements */
};

extern struct suite_state suite_state; /**< of the running test */

/** Count an assertion in CUnit. */
void suite_assert(bool ok, const char *message);
/** Record the first failure of the test; later ones are ignored. */
void suite_fail(enum verdict verdict, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/** Do not show what the submission has said of errors until now: they were
 *  asked for. */
void suite_forget_stderr(void);
/** Fail the test if a call returned the error of an earlier one, which was made
 *  to fail: it is kept. */
void suite_check_kept_error(int64_t status);
/** True when expectations have no effect: the test has failed, or only the
 *  overhead is measured. */
bool suite_should_skip(void);
/** Fail the test for the first argument whose bit is set.
 *  @param format  the message, with %s for the argument's name */
void suite_fail_for_bits(uint32_t bits, const char *format);
/** Fail the test if a copy of the last call read past the end of an array in
 *  host memory. */
void suite_check_overread(void);
/** The last call's argument that has this output, or a part of it.
 *  @param[out] index  of it in the frame
 *  @return NULL if there is none */
const struct arg *suite_output_argument(const struct expected *expected,
                                        unsigned *index);
/** Has the last call arrays, none of which has an element? */
bool suite_call_is_empty(void);
/** Bytes of the last call's outputs in device memory, or in the host's; 0 when
 *  one is in the other. */
size_t suite_output_bytes(bool on_device);
/** Inputs in host memory that did not reach the device as a whole, and nothing
 *  that the host decodes from them did, a bit each. */
uint32_t suite_missing_inputs(const struct facts *facts);
/** Has the last call the sizes and numbers of the last one whose output was
 *  correct?  Then a counter or a buffer that is kept makes the difference. */
bool suite_is_same_call(void);
/** Name of parameter `index` in the lab's prototype: "c".  At most `bytes`. */
void parameter_name(const char *prototype, unsigned index, char *text,
                    size_t bytes);

#endif
