/* SPDX-License-Identifier: MIT */
/** @file
 *  Stores that the instrumentation does not see: gcc does not instrument what
 *  a call stores of a struct that it returns.  gcc's dump of the functions that
 *  it has instrumented names them.
 */
#ifndef SOFTCC_UNSEEN_STORES_H
#define SOFTCC_UNSEEN_STORES_H

#include <stdbool.h>
#include <stddef.h>

#include "common/softgpu/softcc/support/arena.h"

/** The option that makes gcc write the dump; the file's name follows. */
#define UNSEEN_STORES_OPTION "-fdump-tree-tsan1-lineno="

/** Report each store of a call's result to anything but a local variable.
 *  @param text        the dump
 *  @param is_reached  whether kernels reach the function of a mangled name,
 *                     which is not terminated
 *  @param object      its first argument */
void report_unseen_stores(const char *text,
                          bool (*is_reached)(void *object, const char *name,
                                             size_t length),
                          void *object, struct buffer *messages);

#endif
