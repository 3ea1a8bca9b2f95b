/* SPDX-License-Identifier: MIT */
/** @file
 *  The grader's side of suite.h: a test begins, runs, ends with an outcome.
 */
#ifndef GRADER_SUITE_RUN_H
#define GRADER_SUITE_RUN_H

#include "lab.h"
#include "session.h"

enum { MESSAGE_TEXT = 1024, PRINTED_TEXT = 2048 };

/** What a test came to. */
struct outcome {
    enum verdict verdict;       /**< PASS until something fails */
    char message[MESSAGE_TEXT]; /**< empty at PASS */
    char review[REVIEW_TEXT];   /**< empty, or why a person should look */
    char printed[PRINTED_TEXT]; /**< end of what it wrote to stderr, if bad */
    double seconds;             /**< of the last call, on our clock */
};

/** Begin a test: `session` is the runner its calls go to (a fresh one is
 *  started), `seed` and `name` decide its inputs. */
void test_begin(struct session *session, const struct lab *lab, uint64_t seed,
                const char *name, struct outcome *outcome);
/** Make calls of the test that do all but call the lab (call_mode); the
 *  expectations then do nothing. */
void test_measure_channel(void);
struct counted;
/** Make it a watched case: what expect_cost says is added up there, by enum
 *  cost (COSTS of them). */
void test_count_costs(struct counted *costs);
/** End it: frees its arrays; the runner stays alive. */
void test_end(void);
#endif
