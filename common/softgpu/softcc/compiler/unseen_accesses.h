/* SPDX-License-Identifier: MIT */
/** @file
 *  Accesses that the instrumentation does not see: gcc does not instrument what
 *  a call stores of a struct that it returns, and what it loads of a struct
 *  that the function takes by value.  gcc's dump of the functions that it has
 *  instrumented names them.
 *
 *  A program that has such accesses is compiled once more with copies of
 *  structs as calls (struct job), which are inlined and instrumented.
 */
#ifndef SOFTCC_UNSEEN_ACCESSES_H
#define SOFTCC_UNSEEN_ACCESSES_H

#include <stdbool.h>
#include <stddef.h>

#include "common/softgpu/softcc/support/arena.h"

/** The option that makes gcc write the dump; the file's name follows. */
#define UNSEEN_ACCESSES_OPTION "-fdump-tree-tsan1-lineno="

/** Is there such an access in a file of the program's own?
 *  @param text  the dump */
bool has_unseen_accesses(const char *text);

/** Report each of them in device code.
 *  @param text        the dump
 *  @param is_reached  whether kernels reach the function of a mangled name,
 *                     which is not terminated
 *  @param object      its first argument */
void report_unseen_accesses(const char *text,
                            bool (*is_reached)(void *object, const char *name,
                                               size_t length),
                            void *object, struct buffer *messages);

#endif
