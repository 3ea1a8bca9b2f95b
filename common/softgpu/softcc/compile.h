/* SPDX-License-Identifier: MIT */
/** @file
 *  The host compiler's runs: compiling one input, linking a program.
 */
#ifndef SOFTCC_COMPILE_H
#define SOFTCC_COMPILE_H

#include "compiler/toolchain.h"

/** The language of an input: "cu", "c++" or "c", by -x or the file's
 *  extension. */
const char *input_language(const struct options *options, const char *input);
/** Compile an input to an object.
 *  @param object        path to write to
 *  @param display_name  path of the object for messages and dependency files
 *  @return an exit code; messages have been printed */
int compile_input(const struct job *job, const char *input, const char *object,
                  const char *display_name);
/** Link objects to the program that the options name.
 *  @return an exit code; messages have been printed */
int link_program(const struct job *job, const struct list *objects);

#endif
