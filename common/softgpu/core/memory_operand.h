/* SPDX-License-Identifier: MIT */
/** @file
 *  The address that a faulting instruction was about to access.
 */
#ifndef SOFTGPU_OPERAND_H
#define SOFTGPU_OPERAND_H

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

/** Decode the memory operand of the interrupted instruction.  The operating
 *  system reports no address for a non-canonical or misaligned one.
 *  @param[out] address  of the operand
 *  @return false if unknown (another processor, a rare instruction) */
bool softgpu_memory_operand(const ucontext_t *context, uintptr_t *address);

#endif
