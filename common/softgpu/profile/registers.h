/* SPDX-License-Identifier: MIT */
/** @file
 *  Registers that ptxas gave a kernel when the program was compiled.
 */
#ifndef SOFTGPU_PROFILE_REGISTERS_H
#define SOFTGPU_PROFILE_REGISTERS_H

#include "softgpu/abi.h"

/** Registers a thread of the kernel takes; 0 when nvcc was not there to say
 *  it (softcc/registers.c). */
uint32_t registers_by_ptxas(const struct softgpu_kernel *kernel);

/** The same in a text of lines "MANGLED_NAME REGISTERS".
 *
 *  @param[in] text   up to `end`, not 0-terminated
 *  @param[in] end    one past it
 *  @param[in] name   the kernel's mangled name as the host compiler writes it;
 *                    nvcc writes `static` and unnamed namespaces another way
 *  @return 0 when it is not there
 */
uint32_t registers_in(const char *text, const char *end, const char *name);

#endif
