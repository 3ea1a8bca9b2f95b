/* SPDX-License-Identifier: MIT */
/** @file
 *  Diagnosis: the defect behind a pattern of wrong elements.
 *
 *  Two independent sentences: *where* the wrong elements lie ("all in the last
 *  block"), and *what* is in them ("never written").  Each is the first of a
 *  list of rules that fits; none may fit.  A false word is worse than none: a
 *  rule holds for all wrong elements, or it is not named.
 */
#ifndef GRADER_DIAGNOSE_H
#define GRADER_DIAGNOSE_H

#include "grader/channel/message.h"
#include "compare.h"

/** A failed comparison, and what is known about the call. */
struct evidence {
    const struct expected *expected;     /**< the output */
    const struct comparison *comparison; /**< which elements are wrong */
    const unsigned char *poison; /**< content before the call, or NULL */
    const double *previous; /**< the previous correct output, or NULL */
    size_t previous_count;  /**< its elements */
    const struct facts *facts; /**< grid and block of the last launch */
    bool on_device; /**< the lab's array is in device memory */
};

enum { DIAGNOSIS_SIZE = 256 };

/** Begins the sentence on values that are only a little wrong.  It guesses at
 *  precision; a race, or a variable that was never set, does the same. */
#define DIAGNOSIS_CLOSE "close, but outside of float's tolerance"

/** What is in elements that are computed from a lane that had returned, or
 *  took another branch. */
#define DIAGNOSIS_ABSENT_LANE \
    "a shuffle took a value from a lane that does not call it, which is " \
    "undefined"

/** How much a sentence tells about the defect. */
enum certainty {
    UNKNOWN, /**< there is no sentence */
    VAGUE,   /**< a fact about the elements, which has several causes */
    CERTAIN  /**< the cause */
};

/** Where the wrong elements lie; empty when no rule fits.
 *  @return CERTAIN when these are some elements only, as "the last row" */
enum certainty diagnose_location(const struct evidence *evidence, char *text);
/** The defect that their values show; empty when no rule fits.
 *  @param[out] hint  what to do about it; NULL: the test's hint, "": none */
enum certainty diagnose_values(const struct evidence *evidence, char *text,
                               const char **hint);
/** How much both sentences tell about the defect.  What is wrong with results
 *  that are infinite or NaN tells less than any failure of ordinary values, 2;
 *  what is wrong with others that are computed from such, no more than one that
 *  is not explained, 3.
 *  @param located, explained  of the two functions above */
int diagnose_detail(const struct evidence *evidence, enum certainty located,
                    enum certainty explained);
/** "block 3, thread 17 of 256" for an element, when the launch had exactly
 *  one thread for each element; else empty. */
void diagnose_thread(const struct evidence *evidence, size_t index,
                     char *text);

/** One rule: fills in `text` (DIAGNOSIS_TEXT bytes) and returns true. */
typedef bool diagnosis_rule(const struct evidence *evidence, char *text);
/** Try rules in order until one fits; `rules` ends with NULL.
 *  @return does one? */
bool diagnose_first(diagnosis_rule *const *rules,
                    const struct evidence *evidence, char *text);
/** A condition on one wrong element. */
typedef bool element_test(const struct evidence *evidence, size_t index);
/** Does the condition hold for all wrong elements, at least `least`? */
bool evidence_all_wrong(const struct evidence *evidence, element_test *test,
                        size_t least);
/** The element is 0. */
element_test evidence_is_zero;
/** The sentence of a rule that fits.  @return true */
bool diagnose(char *text, const char *words);
/** How many elements were compared. */
size_t evidence_count(const struct evidence *evidence);
/** Was this wrong element never written?  Not known of elements of a byte. */
bool evidence_is_unwritten(const struct evidence *evidence, size_t index);
/** The element in the lab's array, as a double. */
double evidence_got(const struct evidence *evidence, size_t index);

#endif
