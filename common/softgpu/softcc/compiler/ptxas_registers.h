/* SPDX-License-Identifier: MIT */
/** @file
 *  --profile: registers of each kernel, from nvcc's assembler ptxas, and the
 *  accesses that nvcc splits.
 */
#ifndef SOFTCC_PTXAS_REGISTERS_H
#define SOFTCC_PTXAS_REGISTERS_H

#include "run.h"
#include "toolchain.h"

/** A run of nvcc. */
struct registers {
    bool running;           /**< false: nvcc was not started */
    struct process process; /**< it */
    const char *folder;     /**< of what it keeps: its PTX */
};

/** Start nvcc on a .cu file, if the program is to be profiled and nvcc is
 *  installed: $NVCC, or nvcc in PATH; an empty NVCC disables this. */
void registers_start(struct registers *r, const struct job *job,
                     const char *input);
/** Wait for nvcc and add what it told to the object.
 *  @param object    the compiled object
 *  @param compiled  false: there is none; nvcc is stopped */
void registers_finish(struct registers *r, const char *object, bool compiled);

#endif
