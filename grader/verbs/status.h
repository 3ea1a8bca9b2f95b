/* SPDX-License-Identifier: MIT */
/** @file
 *  Functions that the verbs of the workbench share.
 */
#ifndef GRADER_VERBS_STATUS_H
#define GRADER_VERBS_STATUS_H

/** Print the learner's labs, a bar over all of them, and what is next
 *  (list.c). */
void show_status(void);

#endif
