/* SPDX-License-Identifier: MIT */
/** @file
 *  Running the actions of a recipe, as make does: an action runs when its
 *  output is missing or older than one of its inputs.
 */
#ifndef GRADER_BUILD_EXECUTOR_H
#define GRADER_BUILD_EXECUTOR_H

#include "common/base/command.h"
#include "build_box.h"
#include "recipe.h"

/** An action that was started. */
struct execution {
    const struct action *action; /**< which */
    struct process process;      /**< its compiler, while `is_running` */
    bool is_running;             /**< execution_wait() must follow */
    unsigned long oom_kills;     /**< oom_kills() when it was started */
    struct build_box *built;     /**< its box, or NULL */
    char problem[BOX_REASON];    /**< why it did not start, or empty */
};

/** How an action ended. */
struct execution_end {
    char *log;         /**< stderr of the command, malloced, or NULL */
    const char *fault; /**< why a failure says nothing of the source: from wait
                            status, exit status and the kernel's counters, never
                            from the log; NULL: the source is wrong, or
                            confirm_failure() finds out */
    bool is_limit;    /**< the command exceeded a limit */
    int status;       /**< its wait status, unless it did */
};

/** Is the output newer than all inputs and than the compiler? */
bool action_is_up_to_date(const struct action *action);
/** Start an action in the background.  @return 0, or an errno */
int execution_start(const struct action *action, struct execution *execution);
/** Wait for an action and put its output in place.
 *  @return true when the output was made */
bool execution_wait(struct execution *execution, struct execution_end *end);
/** End an action without its output; nothing for one that has ended. */
void execution_cancel(struct execution *execution);

/** Run those of independent actions that are out of date, as many at a time
 *  as there are processors.
 *  @param[out] end  of the one that failed
 *  @return NULL when all succeeded, or the action that failed */
const struct action *execute_actions(const struct action *actions,
                                     size_t count, struct execution_end *end);

#endif
