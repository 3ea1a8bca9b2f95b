/* SPDX-License-Identifier: MIT */
/** @file
 *  A large file for the vector engine is compiled in parts, by several processes
 *  at the same time (vectors/parts.h).
 */
#ifndef SOFTCC_JOIN_PARTS_H
#define SOFTCC_JOIN_PARTS_H

#include "toolchain.h"

/** Append the compiler's options for parts, and let the pass make them; not with
 *  options that write more files than the object, or no machine code.
 *  @param object  that the compiler writes */
void ask_for_parts(struct list *argv, const struct job *job,
                   const char *object);

/** The compiler has ended: the object gets all parts that were made.
 *  @param good  false: only remove them
 *  @return an exit code, after a message */
int join_parts(const char *object, bool good);

#endif
