/* SPDX-License-Identifier: MIT */
/** @file
 *  The command lines of the host compiler.
 *
 *  Each function appends options to an argument list.
 */
#ifndef SOFTCC_COMMAND_H
#define SOFTCC_COMMAND_H

#include "toolchain.h"

/** The compiler, the language standard, and nvcc's macros. */
void add_base_command(struct list *argv, const struct job *job);
/** The include path of CUDA's headers. */
void add_cuda_headers(struct list *argv, const struct job *job);
/** The command that compiles CUDA's headers, without input and output. */
void add_pch_command(struct list *argv, const struct job *job);
/** The user's -D, -U, -I and -include options, and those for dependencies. */
void add_preprocess_options(struct list *argv, const struct job *job);
/** The user's preprocessor options for a .cu file: as above, but macros of the
 *  program's own are defined after CUDA's headers. */
void add_cuda_preprocess_options(struct list *argv, const struct job *job);
/** The path of the dependency file, or NULL if none is asked for.
 *  @param object  path of the object */
const char *dependency_file(const struct job *job, const char *object);
/** Where the dependency file goes and what it names, if the user asks for one
 *  and does not say.
 *  @param object  path of the object */
void add_dependency_options(struct list *argv, const struct job *job,
                            const char *object);
/** Colored messages, if stderr is a terminal. */
void add_color_option(struct list *argv);
/** The user's options for the host compiler.  A name of gcc's that clang does
 *  not know becomes clang's.
 *  @param linking  leave out -ffast-math, with which gcc links a start file
 *                  that makes host code flush denormal numbers */
void add_user_options(struct list *argv, const struct job *job, bool linking);
/** Options for code generation; the user's come last and win.
 *  @param cuda  for a .cu file */
void add_code_options(struct list *argv, const struct job *job, bool cuda);
/** Add the options of --graded: a call in tail position stays a call, and,
 *  without --check, --profile and the vector engine, signed integers wrap
 *  around on overflow. */
void add_graded_options(struct list *argv, const struct job *job);
/** Load the pass of the vector engine, if it is chosen. */
void add_engine_option(struct list *argv, const struct job *job);

/** Add the options of --check and --profile, after the user's: they instrument
 *  each load, store and basic block. */
void add_instrument_options(struct list *argv, const struct job *job);
/** Path of a library of ours, libNAME.a.  By -L and -l gold would list its
 *  folder, which a box refuses. */
const char *runtime_library(const struct job *job, const char *name);
/** The library that the instrumentation calls; goes before the runtime. */
void add_instrument_libraries(struct list *argv, const struct job *job);
/** The libraries that this one needs; they go after the runtime. */
void add_instrument_dependencies(struct list *argv, const struct job *job);

#endif
