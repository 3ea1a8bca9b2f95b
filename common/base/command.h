/* SPDX-License-Identifier: MIT */
/** @file
 *  A compiler or another tool, started from an argument list, never by a
 *  shell.
 */
#ifndef BASE_COMMAND_H
#define BASE_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "process.h"

/** An argument list; zeroed is empty. */
struct command {
    char *argument[192]; /**< argv, NULL-terminated */
    size_t count;        /**< arguments, without the NULL */
};

/** Limits of a compiler: 120 s, 4 GiB of memory, 64 processes.  The time is
 *  that of command_seconds(). */
extern const struct limits compiler_limits;
/** A limit in seconds, as many times longer as more programs want to run than
 *  there are processors; at most MAX_EXTENSION times.  The load changes: ask
 *  again. */
double command_seconds(double seconds);

/** Append one argument; aborts when there is no room for it.
 *  @param argument  not copied: it must outlive the command */
void command_add(struct command *command, const char *argument);
/** Start a command with the limits of a compiler and this environment.
 *  @param      command  argument 0 is a path, or a name to be found in PATH
 *  @param      folder   its working folder
 *  @param[out] process  the running process; process_stop() ends it
 *  @return 0, or an errno */
int command_start(const struct command *command, const char *folder,
                  struct process *process);
/** How a command ended. */
struct command_end {
    char *log;            /**< what it wrote to stderr, malloced, or NULL */
    enum wait_result why; /**< WAIT_ENDED, or which limit it exceeded */
    int status;           /**< wait status, with WAIT_ENDED */
};

/** Wait for a started command and end its process.
 *  @return true when it ended with status 0 within its limits */
bool command_wait(struct process *process, struct command_end *end);
/** command_start() and command_wait(); true when both succeed.
 *  @param[out] log  what it wrote to stderr, or which limit it exceeded;
 *                   malloced, or NULL */
bool command_run(const struct command *command, const char *folder,
                 char **log);

#endif
