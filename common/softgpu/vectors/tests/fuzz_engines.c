/* SPDX-License-Identifier: MIT */
/* Random kernels on both engines: each prints a hash of its results, which must
 * be the same, bit for bit, on fibers, on vectors, and with one thread at a
 * time in another order.
 *
 *     fuzz_engines [FIRST-SEED [FILES [OPTIONS [KERNELS]]]]
 *
 * A file has KERNELS kernels.  OPTIONS are for softcc, such as
 * "-Xcompiler -march=haswell" for rows of 8 lanes, or -O1 to save time.
 *
 * A file whose hashes differ stays in the temporary folder, which is named. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/temp_dir.h"
#include "common/softgpu/vectors/tests/fuzz_kernels.h"

enum {
    KERNELS = 6,    /* of a file, unless the command line says */
    PATH = 512,     /* characters of a path */
    SKIPPED = 77    /* exit status without the vector engine */
};

/* The program of a seed, as a file. */
static void write_file(const char *path, unsigned long long seed, int kernels)
{
    FILE *to = fopen(path, "w");
    if (!to) {
        perror(path);
        exit(1);
    }
    fuzz_write_kernels(to, seed, kernels);
    fclose(to);
}

/* Run a command of the shell.  @return its status */
static int shell(const char *format, ...)
{
    char command[4 * PATH];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    return system(command);
}

/* @return is the output of both engines the same? */
static int engines_agree(const char *build, const char *options,
                         const char *folder, unsigned long long seed,
                         int kernels)
{
    char at[PATH];
    snprintf(at, sizeof at, "%s/%llu", folder, seed);
    char source[PATH + 8];
    snprintf(source, sizeof source, "%s.cu", at);
    write_file(source, seed, kernels);
    if (shell("SOFTCC_SHOW_ENGINE=1 %s/softcc --engine vectors -w %s -o %s %s "
              "2>%s.engines", build, options, at, source, at)) {
        printf("seed %llu: does not compile\n", seed);
        return 0;
    }
    if (shell("SOFTGPU_ENGINE=fibers %s >%s.fibers", at, at)
        || shell("SOFTGPU_SEED=7 %s >%s.seeded", at, at)
        || shell("SOFTGPU_ENGINE=vectors %s >%s.vectors", at, at)) {
        printf("seed %llu: does not run\n", seed);
        return 0;
    }
    if (shell("sed -n 's/^.*: fibers: /on fibers: /p' %s.engines; "
              "grep -q ': vectors$' %s.engines", at, at)) {
        printf("seed %llu: no kernel runs as vectors\n", seed);
        return 0;
    }
    return shell("diff %s.fibers %s.vectors", at, at) == 0
           && shell("diff %s.fibers %s.seeded", at, at) == 0;
}

int main(int argc, char **argv)
{
    const char *build = getenv("BUILD") ? getenv("BUILD") : "build";
    const unsigned long long first = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    const int files = argc > 2 ? atoi(argv[2]) : 1;
    const char *options = argc > 3 ? argv[3] : "";
    const int kernels = argc > 4 ? atoi(argv[4]) : KERNELS;
    const char *folder = temp_process_dir();
    char plugin[PATH];
    int failed = 0;
    snprintf(plugin, sizeof plugin, "%s/lib/softcc-vectors.so", build);
    if (access(plugin, R_OK)) {
        puts("skipped: the vector engine is not built");
        return SKIPPED;
    }
    for (int i = 0; i < files; i++)
        if (!engines_agree(build, options, folder, first + (unsigned)i,
                           kernels)) {
            printf("seed %llu: the engines differ: %s/%llu.cu\n",
                   first + (unsigned)i, folder, first + (unsigned)i);
            temp_dirs_make_persistent();
            failed++;
        }
    printf("%d passed, %d failed\n", files - failed, failed);
    return failed != 0;
}
