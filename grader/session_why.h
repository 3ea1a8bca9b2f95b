/* SPDX-License-Identifier: MIT */
/** @file
 *  Why a conversation with a runner ended too early, in the student's words.
 */
#ifndef GRADER_SESSION_WHY_H
#define GRADER_SESSION_WHY_H

#include "session.h"

/** Beside enum waited: what the conversation itself can find. */
enum why {
    WHY_GARBAGE = 100, /**< bytes on the channel that make no message */
    WHY_LATE,          /**< the outputs changed after the call had returned */
    WHY_OUR_MEMORY     /**< no memory on our side */
};

/** End the process and fill in verdict, message and review.
 *  `why` is an enum waited or enum why, not WAIT_READY. */
void explain_end(struct process *process, int why, struct answer *answer);

/** The whole environment of a runner; static.
 *  `report` is where a watched one writes what it saw, a file in the folder
 *  that it runs in, or NULL; `order` seeds
 *  the soft device's order of threads and blocks, 0: as the user says. */
char *const *runner_environment(const char *report, unsigned order);

#endif
