/* SPDX-License-Identifier: MIT */
/** @file
 *  A precompiled header (PCH) of CUDA's headers, kept beside softcc.
 *
 *  Every .cu file begins with cuda_runtime.h; to parse it takes two thirds of
 *  the compile time of a small file.  The precompiled header lies in prelude/
 *  of the build folder, one directory for each set of options.  It is used
 *  while the compiler and all files that it was built from are unchanged
 *  (pch_stamp.c).  It is an optimization only: where it cannot be built or
 *  used, the headers are parsed.
 */
#ifndef SOFTCC_PCH_H
#define SOFTCC_PCH_H

#include "run.h"
#include "toolchain.h"

/** A precompiled header. */
struct pch {
    bool ready;          /**< false: the headers are parsed instead */
    bool suspected;      /**< a run failed with it that may succeed without */
    char folder[4200];   /**< its directory */
    char header[4300];   /**< the header that it was built from; included in
                              place of cuda_runtime.h */
    char compiled[4300]; /**< the precompiled header */
    char macros[4300];   /**< of clang: the macros that the header defines,
                              included for the preprocessor alone */
    char stamp[4300];    /**< record of what it was built from */
};

/** Find the precompiled header for the job's options, or build it. */
void pch_find_or_build(struct pch *pch, const struct job *job);
/** Append the inclusion of CUDA's headers, for the preprocessor. */
void pch_add_include(struct list *argv, const struct pch *pch,
                     const struct job *job);
/** Remove the text of the headers from what clang's preprocessor printed;
 *  gcc's prints a pragma in their place. */
void pch_strip_headers(const struct pch *pch, const struct job *job,
                       struct buffer *text);
/** Remove the header from the dependency file that -MMD made: it is no file of
 *  the user's, and may be gone when the object is still good.
 *  @param object  as for dependency_file() */
void pch_strip_dependency(const struct pch *pch, const struct job *job,
                          const char *object);
/** Append the options that load the precompiled header, for clang's compiler;
 *  gcc's obeys the pragma in the text. */
void pch_add_compile_options(struct list *argv, const struct pch *pch,
                             const struct job *job);
/** Did a run fail, perhaps because the precompiled header is broken?  Then the
 *  run is to be repeated, and is done without it. */
bool pch_set_aside(struct pch *pch, const struct result *result);

/** Remove a precompiled header with which a run failed, after the run without
 *  it succeeded.  The messages of a run alone prove nothing: the program that
 *  is compiled can choose them. */
void pch_remove_broken(const struct pch *pch);

/** Append the directives of macros to `out`, with their places.
 *  @param text  what clang -E -dD printed */
void pch_keep_macros(struct buffer *out, const char *text);

/** Begin a stamp with the command line and the state of the compiler.
 *  @param command  the command without input and output
 *  @return false when the compiler cannot be found */
bool stamp_command(struct buffer *stamp, const struct list *command);
/** Append the state (size, time of change) of the files in a dependency file.
 *  @return false when it cannot be read */
bool stamp_files(struct buffer *stamp, const char *dependencies);
/** Result of stamp_check. */
enum stamp {
    STAMP_STALE,    /**< there is none, or something changed */
    STAMP_SHADOWED, /**< an include directory of the job hides one of the
                         files */
    STAMP_VALID     /**< the precompiled header may be used */
};
/** Compare a stamp with the state of the files now.
 *  @param path           of the stamp
 *  @param command_stamp  what stamp_command gives now */
enum stamp stamp_check(const char *path, const struct buffer *command_stamp,
                       const struct job *job);
/** FNV-1a hash, 64 bits. */
unsigned long long stamp_hash(const struct buffer *text);

#endif
