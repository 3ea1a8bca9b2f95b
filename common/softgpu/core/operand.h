/* SPDX-License-Identifier: MIT */
/** @file
 *  What an instruction that faulted was about to touch.
 */
#ifndef SOFTGPU_OPERAND_H
#define SOFTGPU_OPERAND_H

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

/** The address of the memory operand of the interrupted instruction.  The
 *  kernel tells no address when a processor refuses one for what it is.
 *  @return false: not known (another processor, a rare instruction) */
bool softgpu_operand(const ucontext_t *context, uintptr_t *address);

#endif
