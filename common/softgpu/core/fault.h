/* SPDX-License-Identifier: MIT */
/** @file
 *  How a kernel ends when something in it goes wrong.
 */
#ifndef SOFTGPU_FAULT_H
#define SOFTGPU_FAULT_H

#include "block.h"

/** Become the first failure of the grid; false if there was one before.
 *  Only the winner writes run->fault. */
bool softgpu_fault_claim(struct run *run, int error);
/** Note who is running here and where. */
void softgpu_fault_here(struct fault *fault, const void *pc, bool returns);

/** No thread of the block can ever go on: say who waits where. */
void softgpu_fail_stuck(struct softgpu_block *b) __attribute__((noreturn));

/** Install the handlers of this process, once. */
void softgpu_fault_install(void);
/** Give the calling OS thread its own stack for them. */
void softgpu_fault_stack(void);

/** Where the asynchronous copy that this OS thread is doing was issued, or
 *  NULL: a fault in it is that line's. */
extern SOFTGPU_TLS const void *softgpu_copy_site;

/** Print the failure: one line on stderr, kept for softgpu_last_report(). */
void softgpu_report(const struct run *run, int error);

/** May a signal stop the code at pc: is it the program's own? */
bool softgpu_text_is_user(const void *pc);
/** Learn the bounds of the program that the kernel's code lies in. */
void softgpu_text_find(const void *code);

#endif
