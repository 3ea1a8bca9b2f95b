/* SPDX-License-Identifier: MIT */
/** @file
 *  The file of the running program, for its symbols, lines and instructions.
 */
#ifndef SOFTGPU_PROGRAM_FILE_H
#define SOFTGPU_PROGRAM_FILE_H

/** Open this program's file to be read.  Where the program was executed by a
 *  descriptor that it still has (a runner of the grader), that is duplicated:
 *  both have one offset.
 *  @return a descriptor, which the caller closes; -1 if there is none */
int softgpu_open_program(void);

#endif
