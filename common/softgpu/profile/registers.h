/* SPDX-License-Identifier: MIT */
/** @file
 *  What nvcc told when the program was compiled: registers per thread, as
 *  ptxas printed them, and accesses of 16 bytes that it split.
 */
#ifndef SOFTGPU_PROFILE_REGISTERS_H
#define SOFTGPU_PROFILE_REGISTERS_H

#include "softgpu/abi.h"

/** Registers per thread of a kernel.
 *  @return 0 when the program was compiled without nvcc
 *          (softcc/registers.c) */
uint32_t ptxas_registers(const struct softgpu_kernel *kernel);

/** Does nvcc split accesses of this line into four of 4 bytes?
 *
 *  @param kernel  its name as the host compiler mangles it
 *  @param word    "load" or "store"
 *  @param file    path; its last component is compared
 *  @param line    from 1
 *  @return 0 also when the program was compiled without nvcc */
int nvcc_splits(const struct softgpu_kernel *kernel, const char *word,
                const char *file, int line);

/** The same in lines of "MANGLED_NAME load FILE:LINE".
 *  @param text, end, name  as for find_ptxas_registers()
 *  @param word, file, line  as for nvcc_splits()
 *  @return 1 when it is listed */
int find_split_line(const char *text, const char *end, const char *name,
                    const char *word, const char *file, int line);

/** Find a kernel in lines of "MANGLED_NAME REGISTERS".
 *
 *  @param[in] text  up to `end`, not NUL-terminated
 *  @param[in] end   one past the text
 *  @param[in] name  mangled by the host compiler; nvcc mangles `static` and
 *                   unnamed namespaces differently, which is allowed for
 *  @return registers per thread; 0 if the kernel is not listed */
uint32_t find_ptxas_registers(const char *text, const char *end,
                              const char *name);

#endif
