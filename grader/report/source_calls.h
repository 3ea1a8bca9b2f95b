/* SPDX-License-Identifier: MIT */
/** @file
 *  Functions of a CUDA C source, and where they are called.
 */
#ifndef GRADER_SOURCE_CALLS_H
#define GRADER_SOURCE_CALLS_H

/** Two places of a thread as lines of one function: where they are in functions
 *  that another one calls, those of the calls: of the only one, or of the nearest
 *  if all are on one side of the other place.
 *  @param text           CUDA C source
 *  @param[in,out] lines  of the two places, from 1; unchanged if no function
 *                        contains or calls both */
void lines_of_calls(const char *text, long lines[2]);

#endif
