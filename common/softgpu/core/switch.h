/* SPDX-License-Identifier: MIT */
/** @file
 *  Changing stacks: the one piece of assembly.  A stack pointer is all that a
 *  suspended thread leaves behind; the callee-saved registers lie on its stack.
 */
#ifndef SOFTGPU_SWITCH_H
#define SOFTGPU_SWITCH_H

#include <stddef.h>

/** Save the running context at *save and go on at `to`, where the call that
 *  was suspended returns `result`; returns when someone switches back. */
void *softgpu_switch(void **save, void *to, void *result);

/** Prepare an unused stack so that switching to the result calls entry(),
 *  which never returns.  Costs one store.
 *  @param top  end of the stack, 16-byte aligned */
void *softgpu_switch_prepare(void *top, size_t bytes, void (*entry)(void));

#endif
