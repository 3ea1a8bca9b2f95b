/* SPDX-License-Identifier: MIT */
/** @file
 *  Registers per thread, as ptxas printed them when the program was compiled.
 */
#ifndef SOFTGPU_PROFILE_REGISTERS_H
#define SOFTGPU_PROFILE_REGISTERS_H

#include "softgpu/abi.h"

/** Registers per thread of a kernel.
 *  @return 0 when the program was compiled without nvcc
 *          (softcc/registers.c) */
uint32_t ptxas_registers(const struct softgpu_kernel *kernel);

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
