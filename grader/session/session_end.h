/* SPDX-License-Identifier: MIT */
/** @file
 *  Why a runner ended during a call, in a message for the student.
 */
#ifndef GRADER_SESSION_END_H
#define GRADER_SESSION_END_H

#include "session.h"

/** Continues enum wait_result: errors that the session finds. */
enum end_reason {
    END_PROTOCOL_ERROR = 100, /**< invalid bytes on the channel */
    END_DIGEST_MISMATCH,      /**< outputs changed after the call returned */
    END_FOLDER_FULL,          /**< its folder holds no more */
    END_OUT_OF_MEMORY         /**< in the grader's process */
};

/** End the runner and fill in verdict, message and review; after a timeout or
 *  an interrupt with the source line that was running.
 *  @param end_reason  an enum wait_result or enum end_reason, not WAIT_READY */
void session_explain_end(struct session *session, int end_reason,
                         struct reply *reply);

/** The whole environment of a session's runner; static memory. */
char *const *runner_environment(const struct session *session);

#endif
