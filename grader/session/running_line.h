/* SPDX-License-Identifier: MIT */
/** @file
 *  The source line that a runner executes.
 */
#ifndef GRADER_RUNNING_LINE_H
#define GRADER_RUNNING_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include "common/base/process.h"

/** Find the line of the submission at which a running process is: of a thread
 *  that runs, else of one that waits, else of one of its callers.  The threads
 *  are stopped by ptrace and addresses are resolved by box-lines, in a process
 *  without privileges.
 *  @param      runner  path of the executable
 *  @param      folder  scratch folder of the runner
 *  @param[out] text    "add.cu:12"; empty when unknown */
void find_running_line(const struct process *process, const char *runner,
                       const char *folder, char *text, size_t bytes);

#endif
