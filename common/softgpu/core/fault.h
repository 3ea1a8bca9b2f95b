/* SPDX-License-Identifier: MIT */
/** @file
 *  Faults: how a kernel ends when it crashes, fails an assert, traps or
 *  deadlocks.
 */
#ifndef SOFTGPU_FAULT_H
#define SOFTGPU_FAULT_H

#include "block.h"

/** Set run->error to `error` if no fault has happened before.
 *  @return true if so: then the caller writes run->fault */
bool softgpu_fault_claim(struct run *run, int error);
/** Store the running block and thread, and the code address, in a fault. */
void softgpu_fault_set_location(struct fault *fault, const void *pc,
                                bool is_return_address);

/** End the grid with a deadlock: no thread of the block can ever run again.
 *  The fault names the calls where its threads wait. */
void softgpu_fail_deadlock(struct softgpu_block *b) __attribute__((noreturn));

/** Install the signal handlers of this process; called once. */
void softgpu_fault_install_handlers(void);
/** Give the calling OS thread a stack of its own for signal handlers. */
void softgpu_fault_install_signal_stack(void);

/** Return address of the call that issued the asynchronous copy which this
 *  OS thread is executing, or NULL: a fault is attributed to that line. */
extern SOFTGPU_TLS const void *softgpu_copy_site;

/** Return address of the call by which an instrumented program has announced a
 *  store: that follows there.  NULL: it was not a store.  The signal of the
 *  monitor preempts nothing between the two, or other threads would find an
 *  older value than the checks have recorded. */
extern SOFTGPU_TLS const void *softgpu_announced_store;

/** Print the fault as one line to stderr and keep it for
 *  softgpu_last_fault_report(). */
void softgpu_report(const struct run *run, int error);
/** Format " at FILE:LINE" of the instruction before a return address; "" if it
 *  is in no file of the user's.
 *  @param piped  the file of code that the compiler read from a pipe */
void softgpu_format_location(char *text, size_t bytes, const void *address,
                             const char *piped);
/** The same of a line that is known; 0: of none. */
void softgpu_format_line(char *text, size_t bytes, const char *path, int line,
                         const char *piped);

#endif
