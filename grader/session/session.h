/* SPDX-License-Identifier: MIT */
/** @file
 *  A session with one runner: start it, make calls, explain why it ended.
 *  Runs in the grader's process; host only.
 */
#ifndef GRADER_SESSION_H
#define GRADER_SESSION_H

#include "common/base/process.h"
#include "grader/channel/message.h"
#include "grader/lab/verdict.h"

enum { REPLY_SIZE = 512, REVIEW_SIZE = 128 };

struct box;

/** A runner and its state; all but the first six members start as 0. */
struct session {
    const char *runner;   /**< path of the executable, absolute */
    const char *folder;   /**< scratch folder that it may write to */
    struct limits limits; /**< `seconds` limits one call */
    bool gpu;             /**< creating a context may take long */
    const char *report;   /**< JSON file of an instrumented runner, or NULL */
    unsigned interleave_seed; /**< of adversarial schedules of an instrumented
                                   runner; 0: none */
    unsigned schedule_seed; /**< order of threads and blocks; 0: the user's */
    unsigned multiprocessors; /**< of the soft device; 0: the card's */
    bool sparse;           /**< soft device: memory is sparse, and only
                                three blocks of a grid run */
    bool independent_blocks; /**< with it: none of them waits for others */
    bool sampled;          /**< instrumented: of a large launch only some
                                blocks are checked for races and counted */
    bool uncounted;        /**< instrumented: no budget is of this run; it is
                                checked alone */
    bool unchecked;        /**< instrumented: only counts matter; one block is
                                checked */
    bool compares_threads; /**< instrumented: what each thread executes is
                                counted, for session_ask() */
    unsigned failing_call; /**< this call of the submission, from 1, of those
                                that create or copy something is made to fail;
                                0: none */
    double diagnosis_seconds; /**< of calls that were made to explain a
                                   failure */
    bool alive;             /**< the runner is running */
    uint64_t sequence;      /**< calls made */
    struct process process; /**< the runner, or the last one */
    struct box *box;        /**< its box, of session_free(); NULL: none */
};

/** Result of a call. */
struct reply {
    enum verdict verdict;     /**< PASS: the call returned */
    char message[REPLY_SIZE]; /**< the error otherwise */
    char review[REVIEW_SIZE]; /**< empty, or why a person should look */
    int64_t status;           /**< what the lab returned */
    double seconds;           /**< from RUN to DONE, by the grader's clock */
    double cpu_seconds;       /**< processor time of all its threads */
    struct facts facts;       /**< what the runner observed; untrusted */
};

/** Begin a grade: from now on the calls of a test may take three times as long
 *  together as one call, and all calls fifteen times, without what they were
 *  starved; but at least one minute, and five.
 *  @param call_seconds  limit of one call */
void session_begin_grade(double call_seconds);
/** Begin a test of that grade. */
void session_begin_test(void);
/** Seconds of all calls of this process, without what they were starved. */
double session_seconds_used(void);
/** Make one call; starts the runner when none is running.  Outputs are written
 *  to the arrays of the frame.
 *  @param poison  seed of what the outputs contain before the call
 *  @return false when the verdict is not PASS; the runner has then ended, and
 *  the next call starts another */
bool session_call(struct session *session, const struct frame *frame,
                  enum call_mode mode, uint64_t poison, struct reply *reply);
/** Ask an instrumented runner who stored an element of an output, in device
 *  memory, of the last call, or about a basic block.
 *  @param[out] answer  zeroed when there is none; its text is printable and
 *                      ends, all else is as the runner says
 *  @return false when the runner did not answer; it has then ended */
bool session_ask(struct session *session,
                 const struct store_question *question,
                 struct store_answer *answer);
/** Close the channel and wait until the runner ends.
 *  @return false when it took more than `grace_seconds`, or none was running */
bool session_close(struct session *session, double grace_seconds);
/** Kill the runner, if any; its output is kept until session_free. */
void session_kill(struct session *session);
/** Kill the runner and free its output. */
void session_free(struct session *session);

#endif
