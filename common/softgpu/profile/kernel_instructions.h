/* SPDX-License-Identifier: MIT */
/** @file
 *  The instructions of a kernel, by source line.
 */
#ifndef SOFTGPU_KERNEL_INSTRUCTIONS_H
#define SOFTGPU_KERNEL_INSTRUCTIONS_H

#include "instruction_mix.h"
#include "profile.h"
#include "sites.h"

/** Count what a kernel executed, on the lines of its profile.
 *
 *  @param[in,out] k      lines are added, and their counters rise
 *  @param[in]     sites  executions of its basic blocks
 *  @param[in]     mix    what the blocks consist of; may be that of the whole
 *                        program */
void kernel_add_instructions(struct kernel_profile *k,
                             const struct sites *sites,
                             const struct instruction_mix *mix);

#endif
