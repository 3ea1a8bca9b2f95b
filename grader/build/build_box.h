/* SPDX-License-Identifier: MIT */
/** @file
 *  Compiling a submission in a box.
 *
 *  The compiler sees the submission, the headers of CUDA and of the lab's
 *  contract, the objects that are linked with it, and the toolchain; nothing
 *  else of the tree, and no other submission.  Its limits: 60 s (longer on a
 *  machine with more work than processors), 2 GiB, 64 MiB a file.
 */
#ifndef GRADER_BUILD_BOX_H
#define GRADER_BUILD_BOX_H

#include <limits.h>

#include "grader/box/box.h"
#include "recipe.h"

enum { BUILD_PATHS = 64 /**< headers that a box is given one by one */ };

/** A box for one action. */
struct build_box {
    struct box box;                    /**< the box */
    char folder[PATH_MAX];             /**< of the action's output */
    char copy[2][PATH_MAX];            /**< of the output, of its depfile */
    char text[BUILD_PATHS][PATH_MAX];  /**< paths of `box` */
    size_t texts;                      /**< of them */
};

/** Start an action in a box of the tier in use.
 *  @param[out] process  process_stop() ends it
 *  @return malloced, for build_box_end(); NULL with one line in `problem`
 *  (BOX_REASON bytes) */
struct build_box *build_box_start(const struct action *action,
                                  struct process *process, char *problem);
/** Wait for its compiler.
 *  @return true when it ended with status 0, and its outputs are at
 *  action->partial and action->partial_depfile */
bool build_box_wait(struct build_box *built, const struct action *action,
                    struct process *process, struct command_end *end);
/** Remove what build_box_start() made. */
void build_box_end(struct build_box *built);

#endif
