/* SPDX-License-Identifier: MIT */
/** @file
 *  A conversation with one runner: start it, make calls, find out why it
 *  failed.  Runs in the trusted process; host only.
 */
#ifndef GRADER_SESSION_H
#define GRADER_SESSION_H

#include "channel/message.h"
#include "process.h"
#include "verdict.h"

enum { ANSWER_TEXT = 512, REVIEW_TEXT = 128 };

/** A runner and the conversation with it; zeroed but for the first five. */
struct session {
    const char *runner;  /**< path of the executable, absolute */
    const char *folder;  /**< scratch folder it may write to */
    struct limits limits; /**< `seconds` is the time one call may take */
    bool gpu;            /**< a context may take long to create */
    const char *report;  /**< file for a watched runner's report, or NULL */
    unsigned order;      /**< of threads and blocks; 0: as the user says */
    bool alive;          /**< a runner is there */
    uint64_t sequence;   /**< calls made to it */
    struct process process; /**< the runner, or the last one */
};

/** What came of a call. */
struct answer {
    enum verdict verdict;      /**< PASS: the call came back */
    char message[ANSWER_TEXT]; /**< why not */
    char review[REVIEW_TEXT];  /**< empty, or why a person should look */
    int64_t status;            /**< what the lab returned */
    double seconds;            /**< from GO to DONE, on our clock */
    double cpu_seconds;        /**< that all its threads ran meanwhile */
    struct facts facts;        /**< what the runner noticed; advisory */
};

/** Make one call; starts the runner when none is alive.  Outputs are written
 *  to where the frame's arguments point.
 *  `poison` decides what stands in the outputs before.
 *  @return false when the answer's verdict is not PASS; the runner is then
 *  gone, and the next call starts another */
bool session_call(struct session *session, const struct frame *frame,
                  enum call_mode mode, uint64_t poison, struct answer *answer);
/** Close the channel and let the runner end by itself, in `patience` seconds.
 *  @return false when it did not, or none was alive */
bool session_leave(struct session *session, double patience);
/** End the runner, if any; its captures stay until session_free. */
void session_end(struct session *session);
/** End the runner and forget what it printed. */
void session_free(struct session *session);

#endif
