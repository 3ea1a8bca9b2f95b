/* SPDX-License-Identifier: MIT */
/** @file
 *  The context switch, in assembly.  The saved context of a suspended thread
 *  is its stack pointer; its callee-saved registers are on its stack.
 */
#ifndef SOFTGPU_SWITCH_H
#define SOFTGPU_SWITCH_H

#include <stddef.h>

/** Save the running context in *save and resume the context `to`, whose own
 *  call of softgpu_switch() returns `result`.  This call returns when another
 *  switch resumes *save. */
void *softgpu_switch(void **save, void *to, void *result);

/** Prepare an unused stack so that a switch to the result calls entry(), which
 *  must not return.
 *  @param top    end of the stack, 16-byte aligned
 *  @param bytes  its size
 *  @return the context to switch to */
void *softgpu_switch_prepare(void *top, size_t bytes, void (*entry)(void));

#endif
