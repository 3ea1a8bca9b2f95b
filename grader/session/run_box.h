/* SPDX-License-Identifier: MIT */
/** @file
 *  Running a submission in a box of the tier in use.
 */
#ifndef GRADER_RUN_BOX_H
#define GRADER_RUN_BOX_H

#include "grader/box/box.h"
#include "session.h"

/** Start the session's runner in a box.  Its scratch folder is empty there; the
 *  report of an instrumented runner is copied to session->report at its end.
 *  @return false with one line in `problem` (BOX_REASON bytes) */
bool run_box_start(struct session *session, const struct program *program,
                   char *problem);

#endif
