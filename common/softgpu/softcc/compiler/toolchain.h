/* SPDX-License-Identifier: MIT */
/** @file
 *  The host compiler, the software GPU's headers and its libraries.
 */
#ifndef SOFTCC_TOOLCHAIN_H
#define SOFTCC_TOOLCHAIN_H

#include "options.h"

/** The tools of softcc. */
struct toolchain {
    const char *compiler; /**< $SOFTCC_CXX, g++, or clang++-19 */
    bool clang;           /**< it is clang */
    bool no_openmp;       /**< -fopenmp is for nothing, and left out */
    char include[4096];   /**< directory of CUDA's headers */
    char library[4096];   /**< directory of libsoftgpu.a */
    char vectors[4096];   /**< the plugin of the vector engine, or "" */
};

/** Find headers and libraries beside the executable or under SOFTGPU_HOME.
 *  @return false after a message: there are no headers */
bool find_toolchain(struct toolchain *toolchain);

/** One run of softcc. */
struct job {
    const struct options *options;
    struct toolchain toolchain;
    bool calls_copies; /**< copies of structs are calls of their constructors,
                            so that gcc instruments them all */
};

/** Choose the engine that --engine or SOFTCC_ENGINE names, and with it the
 *  compiler; auto is the default.  Instrumented programs always run on fibers,
 *  and unless vectors are asked for, so do programs for a debugger (-G, -O0),
 *  programs that use OpenMP, and those of the compiler that SOFTCC_CXX names.
 *  With OpenMP vectors need clang's own library of it: without, a message says
 *  that the program is compiled for fibers.
 *  @return EXIT_OK, or after a message EXIT_USAGE: there is no such engine, or
 *          EXIT_TOOLS: not on this machine */
int select_engine(struct job *job);

/** A library of the host that does the work of one of the CUDA Toolkit's. */
struct backend_library {
    const char *name;       /**< the Toolkit's, as in -lcublas */
    const char *library;    /**< the host's: "openblas" */
    const char *depends_on; /**< another one that it needs, or NULL */
    const char *package;    /**< Debian's packages that have it */
    const char *suffix;     /**< of its file: ".so", or that of a version */
    bool loaded_lazily;     /**< the runtime loads it at the first call */
};
/** The backend of the Toolkit's library -lNAME, or NULL. */
const struct backend_library *find_backend_library(const char *name);
/** Does this compiler find libNAMESUFFIX in its folders? */
bool compiler_has_library(const char *compiler, const char *name,
                          const char *suffix);
/** Append the backends of the Toolkit's libraries that are asked for; they go
 *  after the runtime.
 *  @return false after a message: one is not installed */
bool add_backend_libraries(struct list *argv, const struct job *job);

#endif
