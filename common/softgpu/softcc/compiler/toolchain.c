/* SPDX-License-Identifier: MIT */
/* Where the compiler, the headers and the libraries are. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/target.h"
#include "openmp.h"
#include "toolchain.h"

/* Take the last name off a path. */
static void remove_last_component(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash)
        *slash = 0;
}

/* PREFIX/bin/softcc: libraries and headers lie below PREFIX (make install). */
static bool find_installation(struct toolchain *p, const char *bin)
{
    const size_t length = strlen(bin);
    if (length < 4 || strcmp(bin + length - 4, "/bin") != 0)
        return false;
    const int prefix = (int)length - 4;
    snprintf(p->library, sizeof p->library, "%.*s/lib/warpbook", prefix, bin);
    snprintf(p->include, sizeof p->include,
             "%.*s/share/warpbook/common/softgpu/include", prefix, bin);
    return access(p->include, F_OK) == 0;
}

/* The headers in SOFTGPU_HOME, or in the nearest tree above the executable. */
static void find_include(struct toolchain *p, char *folder)
{
    const char *home = getenv("SOFTGPU_HOME");
    do {
        remove_last_component(folder);
        snprintf(p->include, sizeof p->include, "%s/common/softgpu/include",
                 home && *home ? home : folder);
    } while (*folder && access(p->include, F_OK) != 0);
}

bool find_toolchain(struct toolchain *p)
{
    char folder[3072]; /* the executable's, then those above it */
    ssize_t n = readlink("/proc/self/exe", folder, sizeof folder - 1);
    folder[n > 0 ? n : 0] = 0;
    remove_last_component(folder);
    if (!find_installation(p, folder)) {
        snprintf(p->library, sizeof p->library, "%s/lib", folder);
        find_include(p, folder);
    }
    const char *compiler = getenv("SOFTCC_CXX");
    p->compiler = compiler && *compiler ? compiler : "g++";
    const char *slash = strrchr(p->compiler, '/');
    p->clang = strstr(slash ? slash : p->compiler, "clang") != NULL;
    if (access(p->include, F_OK) == 0)
        return true;
    fprintf(stderr, "softcc: no headers in %s; set SOFTGPU_HOME\n", p->include);
    return false;
}

/* clang 19 and the pass that was built with it. */
static bool find_vectors(struct toolchain *p)
{
    char compiler[PATH_MAX];
    if (snprintf(p->vectors, sizeof p->vectors, "%s/softcc-vectors.so",
                 p->library) < (int)sizeof p->vectors
        && access(p->vectors, R_OK) == 0
        && find_program("clang++-19", compiler)) {
        p->compiler = "clang++-19";
        p->clang = true;
        return true;
    }
    p->vectors[0] = 0;
    return false;
}

/* OpenMP on vectors is clang's own; gcc's serves a program on fibers. */
static bool lacks_openmp(const struct job *job)
{
    char compiler[PATH_MAX];
    if (!uses_openmp(job->options) || !find_program("clang++-19", compiler)
        || compiler_has_library(compiler, "omp", ".so"))
        return false;
    fputs("softcc: -fopenmp: fibers instead of vectors, since clang 19 finds "
          "no libomp.so (Debian: libomp-19-dev)\n", stderr);
    return true;
}

/* Without a word of the user: are vectors what the command line wants?  A
 * chosen compiler is kept; a debugger steps through threads; clang finds OpenMP
 * only where its own library is installed. */
static bool suits_vectors(const struct options *o)
{
    const char *compiler = getenv("SOFTCC_CXX");
    if (compiler && *compiler)
        return false;
    if (o->optimize && (strcmp(o->optimize, "-O0") == 0
                        || strcmp(o->optimize, "-Og") == 0))
        return false;
    return !uses_openmp(o);
}

int select_engine(struct job *job)
{
    const char *engine = job->options->engine;
    if (!engine)
        engine = getenv("SOFTCC_ENGINE");
    if (engine && !*engine)
        engine = NULL;
    const bool wanted = engine && strcmp(engine, "vectors") == 0;
    const bool automatic = !engine || strcmp(engine, "auto") == 0;
    if (!wanted && !automatic && strcmp(engine, "fibers") != 0) {
        fprintf(stderr, "softcc: no engine \"%s\": fibers, vectors or auto\n",
                engine);
        return EXIT_USAGE;
    }
    if ((!wanted && !automatic) || is_instrumented(job->options)
        || job->options->lockstep
        || (automatic && !suits_vectors(job->options))
        || (wanted && lacks_openmp(job)))
        return EXIT_OK;
    if (find_vectors(&job->toolchain)) {
        job->toolchain.no_openmp = !uses_openmp(job->options);
        return EXIT_OK;
    }
    if (automatic)
        return EXIT_OK;
    fprintf(stderr,
            "softcc: the vector engine needs clang++-19 and "
            "%s/softcc-vectors.so (Debian: clang-19 and llvm-19-dev, then "
            "make build)\n",
            job->toolchain.library);
    return EXIT_TOOLS;
}
