/* SPDX-License-Identifier: MIT */
/** @file
 *  Calls through pointers in the submission's code.
 *
 *  softcc --graded compiles each of them as a call of a thunk for the register
 *  that holds the address.  In the host process the thunk jumps there.  In the
 *  device process the address must be the first of a function that device code
 *  consists of, or a function of <math.h>: host code could pass the address
 *  of read() as an argument, and a kernel call it.  Another one ends the
 *  kernel with cudaErrorInvalidPc.
 */
#ifndef GRADER_RUNNER_SOFT_INDIRECT_CALLS_H
#define GRADER_RUNNER_SOFT_INDIRECT_CALLS_H

/** Read which functions there are from the program's table of symbols.  Ends
 *  the process where that cannot be done. */
void indirect_calls_read(void);
/** From here on only they are called, and nothing can change that. */
void indirect_calls_close(void);

#endif
