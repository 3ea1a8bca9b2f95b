/* SPDX-License-Identifier: MIT */
/** @file
 *  Running compilers and other tools.
 */
#ifndef SOFTCC_RUN_H
#define SOFTCC_RUN_H

#include <stdbool.h>

#include "common/base/process.h"
#include "common/softgpu/softcc/support/arena.h"

enum { TOOL_NOT_STARTED = 127, TOOL_KILLED = 128 /**< by a signal */ };

/** How a tool ended and what it printed. */
struct result {
    int status;        /**< exit code; TOOL_NOT_STARTED, TOOL_KILLED */
    struct buffer out; /**< stdout */
    struct buffer err; /**< stderr */
};

/** Run a tool to its end; SIGINT, SIGTERM and SIGHUP end it and its children.
 *  A message is on stderr when it cannot be started.
 *  @param input  text for its stdin, or NULL */
struct result run_program(const struct list *argv, const struct buffer *input);
/** It did not start, or a signal ended it: no verdict on what it was given. */
bool tool_failed(const struct result *result);
/** Free what the tool printed. */
void free_result(struct result *result);

/** No limit on time or output. */
extern const struct limits tool_limits;
/** Find a tool, and let it put its temporary files into the directory of this
 *  process.
 *  @param      name  a path, or a name that is looked up in PATH
 *  @param[out] path  PATH_MAX bytes
 *  @return false if there is none */
bool find_tool(const char *name, char *path);

#endif
