/* SPDX-License-Identifier: MIT */
/* The command line: nvcc's options, each with what becomes of it. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver.h"

static const char help[] =
"usage: softcc [options] file...\n"
"Compile CUDA C++ (.cu) for the software GPU; takes nvcc's command line.\n"
"\n"
"  -o FILE            write the result there (default a.out, or file.o)\n"
"  -c, -dc            compile to objects, do not link\n"
"  -E                 preprocess only\n"
"  --show             print the rewritten C++ source\n"
"  --check            the program tells its races, stray accesses and more,\n"
"                     on stderr, and then ends with status 86\n"
"  --profile          the program tells, kernel by kernel and line by line,\n"
"                     what its accesses cost; also in the file that\n"
"                     SOFTGPU_JSON names, as a page in SOFTGPU_HTML;\n"
"                     registers are told by ptxas where nvcc is installed\n"
"  --no-ptxas         they are assumed even there\n"
"  -I DIR, -D NAME[=VALUE], -U NAME, -include FILE\n"
"  -L DIR, -l NAME    libraries; those of the CUDA Toolkit are left out\n"
"  -O0 ... -O3, -g, -G, -lineinfo, -w, -std=c++17|c++20\n"
"  -shared, -rdc=true, --use_fast_math, -x cu|c++|c\n"
"  -Xcompiler A,B     options for the host compiler; -Xlinker likewise\n"
"  -MD, -MMD, -MF FILE, -MT NAME, -MP\n"
"  --default-stream per-thread\n"
"  -arch, -gencode, -Xptxas, -maxrregcount and the like are ignored\n"
"  --help, --version\n"
"\n"
"environment: SOFTCC_CXX  C++ compiler (default g++; clang++ works too)\n"
"             SOFTGPU_HOME  directory that holds common/softgpu\n"
"             SOFTCC_PRELUDE  0: read CUDA's headers anew for each file\n"
"             NVCC  the nvcc to ask for registers (default nvcc; empty: none)\n"
"exit: 0 done, 1 errors in the program, 2 wrong command line, 3 the program\n"
"uses a feature that the software GPU lacks, 4 a file cannot be read or\n"
"written, 130 interrupted\n";

void list_add(struct list *list, const char *string)
{
    list->at = realloc(list->at, sizeof *list->at * (size_t)(list->count + 2));
    list->at[list->count++] = string;
    list->at[list->count] = NULL;
}

void list_join(struct list *list, const struct list *other)
{
    for (int i = 0; i < other->count; i++)
        list_add(list, other->at[i]);
}

/* Where an option, or its argument, goes. */
enum fate {
    IGNORED, PREPROCESSOR, COMPILER, LINKER, SPLIT_COMPILER, SPLIT_LINKER,
    OUTPUT, STANDARD, LANGUAGE, LIBRARY, RDC, MODE_COMPILE, MODE_PREPROCESS,
    MODE_SHOW, OPTIMISE, DEBUG, DEVICE_DEBUG, FAST_MATH, SHARED, OPTIONAL,
    DEPENDENCIES, DEVICE_OBJECT, CHECK, PROFILE,
    NO_PTXAS, DEFAULT_STREAM
};

/* How an option takes its argument. */
enum shape {
    ALONE,  /* no argument */
    NEXT,   /* the next word, or behind '=' */
    JOINED, /* the rest of the word, or the next word if nothing is left */
    REST    /* whatever follows in the word, also nothing */
};

struct option {
    const char *name;
    enum shape shape;
    enum fate fate;
    const char *gives; /* passed on in its place */
};

static const struct option options_known[] = {
    { "-o", NEXT, OUTPUT, NULL },
    { "--output-file", NEXT, OUTPUT, NULL },
    { "-c", ALONE, MODE_COMPILE, NULL },
    { "--compile", ALONE, MODE_COMPILE, NULL },
    { "-dc", ALONE, DEVICE_OBJECT, NULL },
    { "--device-c", ALONE, DEVICE_OBJECT, NULL },
    { "-E", ALONE, MODE_PREPROCESS, NULL },
    { "--preprocess", ALONE, MODE_PREPROCESS, NULL },
    { "--show", ALONE, MODE_SHOW, NULL },
    { "-MMD", ALONE, DEPENDENCIES, "-MMD" },
    { "-MD", ALONE, DEPENDENCIES, "-MD" },
    { "-MP", ALONE, DEPENDENCIES, "-MP" },
    { "-MF", NEXT, DEPENDENCIES, "-MF" },
    { "-MT", NEXT, DEPENDENCIES, "-MT" },
    { "-MQ", NEXT, DEPENDENCIES, "-MQ" },
    { "-isystem", NEXT, PREPROCESSOR, "-I" },
    { "-include", NEXT, PREPROCESSOR, "-include" },
    { "--include-path", NEXT, PREPROCESSOR, "-I" },
    { "--define-macro", NEXT, PREPROCESSOR, "-D" },
    { "--undefine-macro", NEXT, PREPROCESSOR, "-U" },
    { "-std", NEXT, STANDARD, NULL },
    { "--std", NEXT, STANDARD, NULL },
    { "-x", NEXT, LANGUAGE, NULL },
    { "--x", NEXT, LANGUAGE, NULL },
    { "-Xcompiler", NEXT, SPLIT_COMPILER, NULL },
    { "--compiler-options", NEXT, SPLIT_COMPILER, NULL },
    { "-Xlinker", NEXT, SPLIT_LINKER, NULL },
    { "--linker-options", NEXT, SPLIT_LINKER, NULL },
    { "--check", ALONE, CHECK, NULL },
    { "--profile", ALONE, PROFILE, NULL },
    { "--no-ptxas", ALONE, NO_PTXAS, NULL },
    { "-shared", ALONE, SHARED, "-shared" },
    { "--shared", ALONE, SHARED, "-shared" },
    { "-G", ALONE, DEVICE_DEBUG, NULL },
    { "--device-debug", ALONE, DEVICE_DEBUG, NULL },
    { "-g", REST, DEBUG, "-g" },
    { "--debug", ALONE, DEBUG, "-g" },
    { "-w", ALONE, COMPILER, "-w" },
    { "--disable-warnings", ALONE, COMPILER, "-w" },
    { "-W", REST, COMPILER, "-W" },
    { "-f", REST, COMPILER, "-f" },
    { "-pthread", ALONE, COMPILER, "-pthread" },
    { "-use_fast_math", ALONE, FAST_MATH, NULL },
    { "--use_fast_math", ALONE, FAST_MATH, NULL },
    { "-default-stream", NEXT, DEFAULT_STREAM, NULL },
    { "--default-stream", NEXT, DEFAULT_STREAM, NULL },
    { "-rdc", NEXT, RDC, NULL },
    { "--relocatable-device-code", NEXT, RDC, NULL },
    { "-arch", NEXT, IGNORED, NULL },
    { "--gpu-architecture", NEXT, IGNORED, NULL },
    { "-code", NEXT, IGNORED, NULL },
    { "--gpu-code", NEXT, IGNORED, NULL },
    { "-gencode", NEXT, IGNORED, NULL },
    { "--generate-code", NEXT, IGNORED, NULL },
    { "-ccbin", NEXT, IGNORED, NULL },
    { "--compiler-bindir", NEXT, IGNORED, NULL },
    { "-Xptxas", NEXT, IGNORED, NULL },
    { "--ptxas-options", NEXT, IGNORED, NULL },
    { "-Xnvlink", NEXT, IGNORED, NULL },
    { "-Xcudafe", NEXT, IGNORED, NULL },
    { "-maxrregcount", NEXT, IGNORED, NULL },
    { "--maxrregcount", NEXT, IGNORED, NULL },
    { "-diag-suppress", NEXT, IGNORED, NULL },
    { "--diag-suppress", NEXT, IGNORED, NULL },
    { "-cudart", NEXT, IGNORED, NULL },
    { "--cudart", NEXT, IGNORED, NULL },
    { "-t", NEXT, IGNORED, NULL },
    { "--threads", NEXT, IGNORED, NULL },
    { "-ftz", NEXT, IGNORED, NULL },
    { "-prec-div", NEXT, IGNORED, NULL },
    { "-prec-sqrt", NEXT, IGNORED, NULL },
    { "-fmad", NEXT, IGNORED, NULL },
    { "--ftz", NEXT, IGNORED, NULL },
    { "--prec-div", NEXT, IGNORED, NULL },
    { "--prec-sqrt", NEXT, IGNORED, NULL },
    { "--fmad", NEXT, IGNORED, NULL },
    { "-m64", ALONE, IGNORED, NULL },
    { "-m", NEXT, IGNORED, NULL },
    { "--machine", NEXT, IGNORED, NULL },
    { "-lineinfo", ALONE, IGNORED, NULL },
    { "--generate-line-info", ALONE, IGNORED, NULL },
    { "-expt-relaxed-constexpr", ALONE, IGNORED, NULL },
    { "--expt-relaxed-constexpr", ALONE, IGNORED, NULL },
    { "-expt-extended-lambda", ALONE, IGNORED, NULL },
    { "--expt-extended-lambda", ALONE, IGNORED, NULL },
    { "-extended-lambda", ALONE, IGNORED, NULL },
    { "--extended-lambda", ALONE, IGNORED, NULL },
    { "-res-usage", ALONE, IGNORED, NULL },
    { "--resource-usage", ALONE, IGNORED, NULL },
    { "-dlto", ALONE, IGNORED, NULL },
    { "-restrict", ALONE, IGNORED, NULL },
    { "--restrict", ALONE, IGNORED, NULL },
    { "-v", ALONE, IGNORED, NULL },
    { "--verbose", ALONE, IGNORED, NULL },
    { "-keep", ALONE, IGNORED, NULL },
    { "--keep", ALONE, IGNORED, NULL },
    { "-forward-unknown-to-host-compiler", ALONE, IGNORED, NULL },
    { "-allow-unsupported-compiler", ALONE, IGNORED, NULL },
    { "--allow-unsupported-compiler", ALONE, IGNORED, NULL },
    { "-I", JOINED, PREPROCESSOR, "-I" },
    { "-D", JOINED, PREPROCESSOR, "-D" },
    { "-U", JOINED, PREPROCESSOR, "-U" },
    { "-L", JOINED, LINKER, "-L" },
    { "--library-path", NEXT, LINKER, "-L" },
    { "--library", NEXT, LIBRARY, NULL },
    { "-l", JOINED, LIBRARY, NULL },
    { "-O", REST, OPTIMISE, "-O" },
};

static const char *joined(const char *a, const char *b)
{
    size_t n = strlen(a) + strlen(b) + 1;
    char *text = malloc(n);
    if (text == NULL)
        exit(EXIT_FILES);
    snprintf(text, n, "%s%s", a, b);
    return text;
}

/* "a,b" into "a" and "b", each with `prefix`. */
static void add_split(struct list *list, const char *prefix, const char *words)
{
    char *copy = (char *)joined(words, ""), *rest = copy;
    for (char *word; (word = strsep(&rest, ", ")) != NULL;)
        if (*word)
            list_add(list, joined(prefix, word));
}

static bool toolkit_library(const char *name)
{
    static const char *const names[] = { "cudart", "cudart_static", "cuda",
                                         "cudadevrt", "nvToolsExt", "culibos",
                                         "curand", "nvrtc" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* softgpu's headers need C++17: older standards are raised to it. */
static const char *standard(const char *name)
{
    static const char *const old[] = { "c++03", "c++11", "c++14", "c++0x",
                                       "c++1y", "gnu++11", "gnu++14", "c++17" };
    for (size_t i = 0; i < sizeof old / sizeof *old; i++)
        if (strcmp(name, old[i]) == 0)
            return "-std=gnu++17";
    if (strncmp(name, "c++", 3) == 0)
        return joined("-std=gnu++", name + 3);
    return joined("-std=", name);
}

static void take_library(struct options *o, const char *name)
{
    if (find_stand_in(name))
        list_add(&o->stand_ins, name);
    else if (!toolkit_library(name))
        list_add(&o->inputs, joined("-l", name));
}

static void take_debug(struct options *o, bool device, const char *text)
{
    list_add(&o->compile, device ? "-g" : text);
    o->debug = true;
    if (device && !o->optimise)
        o->optimise = "-Og";
}

/* A CUDA Toolkit's headers must not come before those of the software GPU. */
static bool holds_toolkit(const char *directory)
{
    return access(joined(directory, "/cuda_runtime.h"), F_OK) == 0;
}

static void take_passed(struct options *o, const struct option *k,
                        const char *value)
{
    bool two = k->fate == DEPENDENCIES || strcmp(k->gives, "-include") == 0;
    if (k->gives[1] == 'I' && holds_toolkit(value)) {
        list_add(&o->preprocess, "-idirafter");
        list_add(&o->preprocess, value);
        return;
    }
    struct list *list = k->fate == COMPILER ? &o->compile
                        : k->fate == LINKER ? &o->link : &o->preprocess;
    if (two && k->shape == NEXT) {
        list_add(list, k->gives);
        list_add(list, value);
    } else {
        list_add(list, joined(k->gives, value));
    }
}

static void take(struct options *o, const struct option *k, const char *value)
{
    switch (k->fate) {
    case IGNORED: case OPTIONAL: break;
    case OUTPUT: o->output = value; break;
    case STANDARD: o->standard = standard(value); break;
    case LANGUAGE: o->language = value; break;
    case DEFAULT_STREAM: /* legacy and null say what holds anyway */
        if (strcmp(value, "per-thread") == 0)
            list_add(&o->preprocess, "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
        break;
    case RDC: o->rdc = strcmp(value, "true") == 0; break;
    case MODE_COMPILE: o->mode = COMPILE; break;
    case DEVICE_OBJECT: o->mode = COMPILE; o->rdc = true; break;
    case MODE_PREPROCESS: o->mode = PREPROCESS; break;
    case MODE_SHOW: o->mode = SHOW; break;
    case SPLIT_COMPILER: add_split(&o->compile, "", value); break;
    case SPLIT_LINKER: add_split(&o->link, "-Wl,", value); break;
    case LIBRARY: take_library(o, value); break;
    case SHARED: o->shared = true; break;
    case CHECK: o->check = true; break;
    case PROFILE: o->profile = true; break;
    case NO_PTXAS: o->ptxas = false; break;
    case DEBUG: take_debug(o, false, joined("-g", value)); break;
    case DEVICE_DEBUG: take_debug(o, true, NULL); break;
    case FAST_MATH:
        list_add(&o->compile, "-ffast-math");
        list_add(&o->compile, "-fno-finite-math-only");
        break;
    case OPTIMISE:
        o->optimise = joined("-O", value);
        break;
    case PREPROCESSOR: case COMPILER: case LINKER: case DEPENDENCIES:
        take_passed(o, k, value);
        break;
    }
}

/* The option's argument in `arg` or the next word; NULL: not this option. */
static const char *argument(const struct option *k, const char *arg,
                            const char *next, bool *used_next)
{
    size_t n = strlen(k->name);
    *used_next = false;
    if (strncmp(arg, k->name, n) != 0)
        return NULL;
    const char *rest = arg + n;
    if (k->shape == REST)
        return rest;
    if (*rest == 0 && k->shape == ALONE)
        return rest;
    if (*rest == '=' && k->shape == NEXT)
        return rest + 1;
    if (*rest && k->shape == JOINED)
        return rest;
    *used_next = *rest == 0;
    return *rest == 0 ? next : NULL;
}

static int wrong(const char *what, const char *arg)
{
    fprintf(stderr, "softcc: %s%s; see softcc --help\n", what, arg);
    return EXIT_USAGE;
}

/* @return how many words were taken, 0 if the option is unknown, -1 if its
 * argument is missing */
static int take_option(struct options *o, char **argv)
{
    size_t known = sizeof options_known / sizeof *options_known;
    const struct option *best = NULL; /* the longest name that fits */
    bool next;
    for (size_t i = 0; i < known; i++) {
        const struct option *k = &options_known[i];
        bool fits = argument(k, argv[0], argv[1], &next) || next;
        if (fits && (!best || strlen(k->name) > strlen(best->name)))
            best = k;
    }
    if (best == NULL)
        return 0;
    const char *value = argument(best, argv[0], argv[1], &next);
    if (value == NULL)
        return -1;
    take(o, best, value);
    return next ? 2 : 1;
}

int parse_options(int argc, char **argv, struct options *o)
{
    o->standard = "-std=gnu++17";
    o->ptxas = true;
    for (int i = 1; i < argc;) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            fputs(help, stdout);
            return EXIT_OK;
        }
        if (strcmp(argv[i], "--version") == 0) {
            puts("softcc 1.0: CUDA C++ for the software GPU, CUDA 12.8");
            return EXIT_OK;
        }
        if (argv[i][0] != '-') {
            list_add(&o->inputs, argv[i++]);
            continue;
        }
        int taken = take_option(o, argv + i);
        if (taken == 0)
            return wrong("unknown option ", argv[i]);
        if (taken < 0)
            return wrong("nothing behind ", argv[i]);
        i += taken;
    }
    if (o->inputs.count == 0)
        return wrong("no input file", "");
    return -1;
}
