/* SPDX-License-Identifier: MIT */
/** @file
 *  Names of CUDA that the software GPU does not have.  The compiler finds them:
 *  its errors about such names become one line each, with what to use instead.
 */
#ifndef SOFTCC_REFUSAL_H
#define SOFTCC_REFUSAL_H

#include <stdbool.h>

#include "common/softgpu/softcc/support/arena.h"

/** Do messages of the compiler or the linker name anything of CUDA that the
 *  software GPU's headers do not declare?  Then print a line on stderr for each
 *  such name, in place of all messages.
 *  @param messages  stderr of the compiler or the linker
 *  @param include   directory of the software GPU's headers
 *  @return whether there was a name */
bool refuse_missing_names(const struct buffer *messages, const char *include);

/** What to do without a library of NVIDIA's that the software GPU does not have.
 *  @param name  of the library without "lib", or of its header
 *  @return NULL if it is none */
const char *library_advice(const char *name);
/** Refuse a library of NVIDIA's that the software GPU does not have: print a
 *  line on stderr.
 *  @param name  as after -l, or a path of the library's file
 *  @return whether it is one */
bool refuse_library(const char *name);

#endif
