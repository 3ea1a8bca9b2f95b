/* SPDX-License-Identifier: MIT */
/** @file
 *  Functions that the verbs of the workbench share.
 */
#ifndef GRADER_VERBS_STATUS_H
#define GRADER_VERBS_STATUS_H

#include <stdbool.h>

/** Print the learner's labs and a bar over all of them (list.c).
 *  @param shows_next  and what is next */
void show_status(bool shows_next);

#endif
