/* SPDX-License-Identifier: MIT */
/** @file
 *  The command lines of bubblewrap and box-init.
 */
#ifndef GRADER_BOX_COMMAND_LINE_H
#define GRADER_BOX_COMMAND_LINE_H

#include "box.h"

/** An argument list with the memory of its numbers. */
struct command_line {
    char *argument[512]; /**< NULL-terminated */
    size_t count;        /**< arguments */
    char text[24][64];   /**< of numbers */
    size_t texts;        /**< texts used */
};

/** Processes and threads that a box may have: limits->processes, to run
 *  box->threads. */
unsigned box_processes(const struct box *box, const struct limits *limits);
/** The program box-init, absolute. */
const char *box_init_path(void);
/** Write down the command that runs a program in a box; tiers A and B begin
 *  with bubblewrap's. */
void box_command_line(const struct box *box, const struct program *program,
                      const struct limits *limits, struct command_line *line);

#endif
