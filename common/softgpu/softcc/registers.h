/* SPDX-License-Identifier: MIT */
/** @file
 *  --profile: registers of each kernel, by ptxas.
 */
#ifndef SOFTCC_REGISTERS_H
#define SOFTCC_REGISTERS_H

#include <sys/types.h>

#include "driver.h"

/** nvcc at work on one input. */
struct registers {
    pid_t child;  /**< its process, or not above 0 */
    int messages; /**< what it prints, or -1 */
};

/** Let nvcc begin with a .cu file, if the program is to be profiled and there
 *  is one: $NVCC, or nvcc on the path; an empty NVCC switches this off. */
void registers_begin(struct registers *r, const struct job *job,
                     const char *input);
/** Wait for it and put what ptxas said into the object.
 *  @param object    whole, unless
 *  @param compiled  is false: then nvcc is stopped and nothing is written */
void registers_end(struct registers *r, const char *object, bool compiled);

#endif
