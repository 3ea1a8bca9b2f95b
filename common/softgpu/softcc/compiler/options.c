/* SPDX-License-Identifier: MIT */
/* The command line: nvcc's options and what softcc does with each. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/version.h"
#include "option_files.h"
#include "option_table.h"
#include "options.h"
#include "toolchain.h"

static const char help[] =
"usage: softcc [options] file...\n"
"Compile CUDA C++ (.cu) for the software GPU; takes nvcc's command line.\n"
"\n"
"  -o FILE            write the result there (default a.out, or file.o)\n"
"  -c, -dc            compile to objects, do not link\n"
"  -cubin, -ptx, -fatbin\n"
"                     compile to a module for cuModuleLoad()\n"
"  -E                 preprocess only\n"
"  --show             print the rewritten C++ source\n"
"  --check            the program reports races, out-of-bounds accesses and\n"
"                     more on stderr; with findings it exits with status 86\n"
"  --profile          the program reports the cost of memory accesses by\n"
"                     kernel and line; as JSON in the file that SOFTGPU_JSON\n"
"                     names, as a page in SOFTGPU_HTML; register counts come\n"
"                     from ptxas if nvcc is installed\n"
"  --engine ENGINE    fibers: a thread of a kernel is a fiber; vectors: where a\n"
"                     kernel allows, 32 threads are executed by vector\n"
"                     instructions (needs clang 19); auto, the default: vectors\n"
"                     if clang 19 is installed, but fibers with -G, -O0, -Og,\n"
"                     SOFTCC_CXX, or where -fopenmp is used\n"
"  --lockstep         lanes of a warp load, then store, each element of an array\n"
"                     in shared memory together, as on cards before Volta: for\n"
"                     programs that lack __syncwarp()\n"
"  --no-ptxas         assume register counts even if nvcc is installed\n"
"  --graded           for a grader: host and device code in sections of their\n"
"                     own; refuse what hides accesses from the checks\n"
"  -I DIR, -D NAME[=VALUE], -U NAME, -include FILE\n"
"  -L DIR, -l NAME    libraries; those of the CUDA Toolkit are replaced\n"
"  -O0 ... -O3, -g, -G, -lineinfo, -w, -std=c++17|c++20\n"
"  -shared, -rdc=true, --use_fast_math, -x cu|c++|c\n"
"  -lib               put the objects into a library; -dlink: an empty object,\n"
"                     since device code is linked with the program\n"
"  -M, -MM            list the headers that a source includes\n"
"  --options-file FILE  more options, from a file\n"
"  -v                 say what a build system asks nvcc for: its folders and\n"
"                     the command that links\n"
"  -Xcompiler A,B     options for the host compiler; -Xlinker likewise\n"
"  -MD, -MMD, -MF FILE, -MT NAME, -MP\n"
"  --default-stream per-thread\n"
"  -arch, -gencode, -Xptxas, -maxrregcount and the like are ignored\n"
"  --help, --version\n"
"\n"
"environment: SOFTCC_CXX  C++ compiler (default g++; clang++ works too)\n"
"             SOFTGPU_HOME  directory that holds common/softgpu\n"
"             SOFTCC_ENGINE  engine without --engine (default auto)\n"
"             SOFTCC_SHOW_ENGINE  1: say which kernels run as vectors, and why\n"
"             others do not, as --show does\n"
"             SOFTCC_PRELUDE  0: no precompiled header of CUDA's headers; a\n"
"             larger number: at most so many are kept (default 12)\n"
"             NVCC  nvcc for register counts (default nvcc; empty: none)\n"
"exit: 0 done, 1 errors in the program, 2 wrong command line, 3 the program\n"
"uses a feature that the software GPU lacks, 4 a file cannot be read or\n"
"written, 5 a compiler, a header or a library is missing, 130 interrupted\n";

/* Split "a,b" into "a" and "b", each with `prefix`. */
static void add_split(struct list *list, const char *prefix, const char *words)
{
    char *copy = concatenate(words, "", ""), *rest = copy;
    for (char *word; (word = strsep(&rest, ", ")) != NULL;)
        if (*word)
            list_append(list, concatenate(prefix, word, ""));
}

static void add_library(struct options *o, const char *name)
{
    if (find_backend_library(name))
        list_append(&o->backend_libraries, name);
    else if (!is_toolkit_library(name))
        list_append(&o->inputs, concatenate("-l", name, ""));
}

static void set_debug(struct options *o, bool device, const char *text)
{
    list_append(&o->compile, device ? "-g" : text);
    o->debug = true;
    if (device && !o->optimize)
        o->optimize = "-Og";
}

/* Are these the headers of a CUDA Toolkit?  They must not come before those of
 * the software GPU. */
static bool contains_toolkit(const char *directory)
{
    return access(concatenate(directory, "/cuda_runtime.h", ""), F_OK) == 0;
}

static void pass_option(struct options *o, const struct option *k,
                        const char *value)
{
    bool two = k->action == DEPENDENCIES
               || strcmp(k->replacement, "-include") == 0;
    if (k->replacement[1] == 'I' && contains_toolkit(value)) {
        list_append(&o->preprocess, "-idirafter");
        list_append(&o->preprocess, value);
        return;
    }
    struct list *list = k->action == COMPILER ? &o->compile
                        : k->action == LINKER ? &o->link
                                              : &o->preprocess;
    if (two && k->argument_kind == SEPARATE) {
        list_append(list, k->replacement);
        list_append(list, value);
    } else {
        list_append(list, concatenate(k->replacement, value, ""));
    }
}

static void apply_option(struct options *o, const struct option *k,
                         const char *value)
{
    switch (k->action) {
    case IGNORED: case ARCHITECTURE: break;
    case OUTPUT: o->output = value; break;
    case STANDARD: o->standard = language_standard(value); break;
    case LANGUAGE: o->language = value; break;
    case DEFAULT_STREAM: /* "legacy" and "null" are the default */
        if (strcmp(value, "per-thread") == 0)
            list_append(&o->preprocess,
                        "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
        break;
    case RDC: o->rdc = strcmp(value, "true") == 0; break;
    case MODE_COMPILE: o->mode = COMPILE; break;
    case DEVICE_OBJECT: o->mode = COMPILE; o->rdc = true; break;
    case MODE_PREPROCESS: o->mode = PREPROCESS; break;
    case MODE_SHOW: o->mode = SHOW; break;
    case SPLIT_COMPILER: add_split(&o->compile, "", value); break;
    case SPLIT_LINKER: add_split(&o->link, "-Wl,", value); break;
    case LIBRARY: add_library(o, value); break;
    case IN_LINK_ORDER:
        list_append(&o->inputs, concatenate(k->replacement, value, ""));
        break;
    case WARNINGS_AS_ERRORS:
        if (strstr(value, "all-warnings"))
            list_append(&o->compile, "-Werror");
        break;
    case VERBOSE: o->verbose = true; break;
    case FORWARD: o->forwards = true; break;
    case MODE_DEVICE_LINK: o->mode = DEVICE_LINK; break;
    case MODE_ARCHIVE: o->mode = ARCHIVE; break;
    case DEPENDENCIES_ONLY:
        o->mode = PREPROCESS;
        list_append(&o->preprocess, k->replacement);
        break;
    case SHARED: o->shared = true; break;
    case MODULE:
        o->module = k->replacement;
        o->shared = true;
        break;
    case CHECK: o->check = true; break;
    case PROFILE: o->profile = true; break;
    case NO_PTXAS: o->ptxas = false; break;
    case LOCKSTEP: o->lockstep = true; break;
    case GRADED: o->graded = true; break;
    case ENGINE: o->engine = value; break;
    case DEBUG: set_debug(o, false, concatenate("-g", value, "")); break;
    case DEVICE_DEBUG: set_debug(o, true, NULL); break;
    case FAST_MATH:
        list_append(&o->compile, "-ffast-math");
        list_append(&o->compile, "-fno-finite-math-only");
        break;
    case OPTIMIZE: o->optimize = concatenate("-O", value, ""); break;
    case PREPROCESSOR: case COMPILER: case LINKER: case DEPENDENCIES:
        pass_option(o, k, value);
        break;
    }
}

/* The option's argument, in `arg` or the next word; NULL: not this option. */
static const char *argument(const struct option *k, const char *arg,
                            const char *next, bool *used_next)
{
    size_t n = strlen(k->name);
    *used_next = false;
    if (strncmp(arg, k->name, n) != 0)
        return NULL;
    const char *rest = arg + n;
    if (k->argument_kind == JOINED)
        return rest;
    if (*rest == 0 && k->argument_kind == NO_ARGUMENT)
        return rest;
    if (*rest == '=' && k->argument_kind == SEPARATE)
        return rest + 1;
    if (*rest && k->argument_kind == JOINED_OR_SEPARATE)
        return rest;
    *used_next = *rest == 0;
    return *rest == 0 ? next : NULL;
}

static int usage_error(const char *what, const char *arg)
{
    fprintf(stderr, "softcc: %s%s; see softcc --help\n", what, arg);
    return EXIT_USAGE;
}

/* @return words consumed, 0 if the option is unknown, -1 if its argument is
 * missing, -2 after a message about its value */
static int parse_option(struct options *o, char **argv)
{
    const struct option *best = NULL; /* the longest name that matches */
    bool next;
    for (const struct option *k = options_known; k->name; k++) {
        bool matches = argument(k, argv[0], argv[1], &next) || next;
        if (matches && (!best || strlen(k->name) > strlen(best->name)))
            best = k;
    }
    if (best == NULL)
        return 0;
    const char *value = argument(best, argv[0], argv[1], &next);
    if (value == NULL)
        return -1;
    if ((best->action == STANDARD && !language_standard(value))
        || (best->action == ARCHITECTURE && !is_architecture(value)))
        return usage_error("unknown value of ", best->name), -2;
    apply_option(o, best, value);
    return next ? 2 : 1;
}

static const char version[] =
"softcc " PROJECT_VERSION ": CUDA C++ for the software GPU, CUDA 12.8\n"
"takes the command line of nvcc: NVIDIA (R) Cuda compiler driver\n"
"Cuda compilation tools, release 12.8, V12.8.0\n"; /* build systems look */

/* --help and --version. @return whether the word is one of them */
static bool answer(const char *word)
{
    const bool helps = strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
    if (!helps && strcmp(word, "--version") != 0)
        return false;
    fputs(helps ? help : version, stdout);
    return true;
}

/* A library of the Toolkit, named by its path, is the same as -lNAME. */
static void add_input(struct options *o, const char *path)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    const char *name = slash ? slash + 1 : path;
    if (slash && dot && dot > name && strncmp(name, "lib", 3) == 0
        && (strcmp(dot, ".a") == 0 || strcmp(dot, ".so") == 0)) {
        char *stem = concatenate(name + 3, "", "");
        stem[dot - name - 3] = 0;
        if (find_backend_library(stem) || is_toolkit_library(stem)) {
            add_library(o, stem);
            return;
        }
        free(stem);
    }
    list_append(&o->inputs, path);
}

/* Options at one place. @return words consumed, 0 after a message */
static int parse_word(struct options *o, char **argv)
{
    if (argv[0][0] != '-') {
        add_input(o, argv[0]);
        return 1;
    }
    int consumed = parse_option(o, argv);
    if (consumed == 0 && o->forwards) {
        list_append(&o->compile, argv[0]);
        return 1;
    }
    if (consumed == 0)
        usage_error("unknown option ", argv[0]);
    if (consumed == -1)
        usage_error("no argument after ", argv[0]);
    return consumed < 0 ? 0 : consumed;
}

int parse_options(int argc, char **argv, struct options *o)
{
    struct list words = { 0 };
    o->standard = "-std=gnu++17";
    o->ptxas = true;
    for (int i = 1; i < argc; i++)
        if (!append_words(&words, &i, argv))
            return EXIT_FILES;
    for (int i = 0; i < words.count;) {
        if (answer(words.at[i]))
            return EXIT_OK;
        int consumed = parse_word(o, (char **)words.at + i);
        if (consumed == 0)
            return EXIT_USAGE;
        i += consumed;
    }
    if (o->inputs.count == 0)
        return usage_error("no input file", "");
    return -1;
}

bool wants_dependencies(const struct options *o)
{
    for (int i = 0; i < o->preprocess.count; i++)
        if (strncmp(o->preprocess.at[i], "-M", 2) == 0)
            return true;
    return false;
}

bool is_instrumented(const struct options *o)
{
    return o->check || o->profile;
}
