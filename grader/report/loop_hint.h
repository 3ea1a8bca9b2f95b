/* SPDX-License-Identifier: MIT */
/** @file
 *  Reasons why a loop does not end, as far as its text tells.
 */
#ifndef GRADER_LOOP_HINT_H
#define GRADER_LOOP_HINT_H

#include <stdbool.h>
#include <stddef.h>

/** Describe the loop that a program was running when its time was over.
 *  @param text       CUDA C source
 *  @param line       that was running, from 1
 *  @param[out] hint  at most `bytes`: the innermost loop around the line, and
 *                    what its end depends on
 *  @return false if the line is in no loop */
bool loop_hint(const char *text, int line, char *hint, size_t bytes);

/** Is some loop around all of three lines, or none around any?
 *  @param text   CUDA C source
 *  @param lines  from 1, in ascending order */
bool loop_holds_all(const char *text, const long lines[3]);

#endif
