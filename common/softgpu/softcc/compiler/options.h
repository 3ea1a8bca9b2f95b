/* SPDX-License-Identifier: MIT */
/** @file
 *  The command line of softcc: that of nvcc.
 */
#ifndef SOFTCC_OPTIONS_H
#define SOFTCC_OPTIONS_H

#include <stdbool.h>

#include "common/softgpu/softcc/support/arena.h"

/** Exit codes of softcc. */
enum {
    EXIT_OK = 0,
    EXIT_COMPILE = 1,     /**< the compiler or the linker found errors */
    EXIT_USAGE = 2,       /**< wrong command line */
    EXIT_UNSUPPORTED = 3, /**< the program uses a feature that the software
                               GPU lacks */
    EXIT_FILES = 4,       /**< a file cannot be read or written */
    EXIT_TOOLS = 5        /**< a compiler, header or library is missing, or a
                               tool was killed; says nothing of the program */
};

/** Phases of compilation for each input. */
enum mode {
    LINK,       /**< compile and link a program */
    COMPILE,    /**< -c: compile to an object */
    PREPROCESS, /**< -E: print the preprocessed source */
    DEVICE_LINK, /**< -dlink: an empty object: device code needs no link of
                      its own */
    ARCHIVE,    /**< -lib: compile to a static library */
    SHOW        /**< --show: print the rewritten source */
};

/** The parsed command line. */
struct options {
    enum mode mode;         /**< LINK unless an option says otherwise */
    struct list inputs;     /**< source files, objects, archives, -l options */
    struct list preprocess; /**< for the preprocessor: -I -D -U -M... */
    struct list compile;    /**< for the compiler */
    struct list link;       /**< for the linker: -L -Wl,... */
    struct list backend_libraries; /**< libraries of the Toolkit, by name */
    const char *output;            /**< -o, or NULL */
    const char *standard;          /**< -std=... for the compiler */
    const char *language;          /**< -x, or NULL */
    const char *optimize;          /**< -O..., or NULL */
    bool rdc;     /**< -rdc=true: device names are visible to other
                                 files */
    bool shared;  /**< -shared: link a shared library */
    const char *module; /**< -cubin, -ptx, -fatbin: ending of a module's file,
                             a shared library without the runtime */
    bool debug;   /**< -g or -G */
    bool check;   /**< --check: instrument for race and memory
                                 checks */
    bool profile; /**< --profile: instrument for the profiler */
    bool ptxas;   /**< ask nvcc's ptxas for register counts; false
                                 after --no-ptxas */
    const char *engine; /**< --engine, or NULL */
    bool lockstep; /**< --lockstep: lanes of a warp run in lockstep */
    bool verbose; /**< -v: print what build systems ask of nvcc */
    bool forwards; /**< unknown options go to the host compiler */
    bool graded;  /**< --graded: split objects, refuse hidden accesses */
};

/** Does -lNAME add nothing to a link? */
bool is_toolkit_library(const char *name);
/** The compiler's option for a value of -std; NULL: there is no such value. */
const char *language_standard(const char *name);
/** Is it a value of -arch, whether or not that card still exists? */
bool is_architecture(const char *name);

/** Parse the command line.  --help and --version are answered on stdout,
 *  errors on stderr.
 *  @return -1 to continue, else the exit code */
int parse_options(int argc, char **argv, struct options *options);
/** Is a dependency file asked for (-MD, -MMD and the like)? */
bool wants_dependencies(const struct options *options);
/** Is --check or --profile asked for? */
bool is_instrumented(const struct options *options);

#endif
