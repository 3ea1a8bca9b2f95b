/* SPDX-License-Identifier: MIT */
/** @file
 *  The host compiler's runs: compiling one input, linking a program.
 */
#ifndef SOFTCC_COMPILE_H
#define SOFTCC_COMPILE_H

#include "compiler/pch.h"
#include "compiler/toolchain.h"

/** Result of run_compiler() if the precompiled header is broken: compile once
 *  more without it. */
enum { RETRY_WITHOUT_PCH = -1 };

/** Run the compiler or the linker, which writes `target`.  A full disk is one
 *  line, not one from each of the compiler's parts.
 *  @param argv  the command; freed
 *  @param text  its input, or NULL
 *  @param pch   the precompiled header that it reads, or NULL
 *  @return an exit code, or RETRY_WITHOUT_PCH */
int run_compiler(const struct job *job, struct list *argv,
                 const struct buffer *text, const char *target,
                 struct pch *pch);

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

/** -dlink: write an empty object, since the host's linker joins device code.
 *  @return an exit code; messages have been printed */
int link_device_code(const struct job *job);
/** -lib: put objects into the static library that the options name.
 *  @return an exit code; messages have been printed */
int archive_objects(const struct job *job, const struct list *objects);

#endif
