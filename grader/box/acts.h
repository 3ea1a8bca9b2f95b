/* SPDX-License-Identifier: MIT */
/** @file
 *  The acts that the canary of a box tries (grader/boxed/box-canary.c).  Each
 *  is bounded, and attacks only what the grader planted.
 */
#ifndef GRADER_BOX_ACTS_H
#define GRADER_BOX_ACTS_H

#include <stdbool.h>
#include <sys/types.h>

/** Acts that no program of a box may do. */
struct act {
    const char *words;      /**< "read another submission"; NULL: no further */
    bool (*succeeds)(void); /**< does it?  Then the box does not hold */
};

extern const struct act acts_on_files[];      /**< of others, and devices */
extern const struct act acts_on_processes[];  /**< and namespaces, privileges */
extern const struct act acts_by_calls[];      /**< past the file system */
extern const struct act acts_beyond_limits[]; /**< of files and folders */
/** Beyond the limits of memory and of processes.  Each is tried in a box of its
 *  own: the grader may end the whole box. */
extern const struct act acts_alone[];

/* Of the program, for its acts. */

/** The arguments: enum canary_argument. */
extern char **act_argument;
/** Process id of the grader, as far as it is seen. */
extern pid_t act_grader;
/** Can a file be opened?  It is closed again. */
bool act_can_open(const char *path, int flags);

#endif
