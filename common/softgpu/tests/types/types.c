/* SPDX-License-Identifier: MIT */
/** @file
 *  The types and math headers with every compiler found.  Each check beside
 *  this file is a test program that make builds with g++, for any processor and
 *  with the sanitizers; here they are also built for this processor and by
 *  clang++, each check by one compiler a day (PROGRAMS=all: by all).
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/base/tests/run_tests.h"

#define HERE "common/softgpu/tests/types/"
#define INCLUDE " -Icommon/softgpu/include "

/* Not under sanitizers: the compilers would do the same again. */
#ifndef __SANITIZE_ADDRESS__
static const char *const checks[] = {"layout", "int",   "convert",
                                     "arithmetic", "math",  "half_convert",
                                     "half_ops",   "fp8", "wmma"};
#endif

static char folder[] = "/tmp/softgpu-types-XXXXXX";

/* Run a shell command; its output is shown only when it fails. */
static int run(const char *command)
{
    char line[1024], text[2048] = "";
    FILE *pipe = popen(command, "r");
    if (pipe == NULL)
        return -1;
    while (fgets(line, sizeof line, pipe) != NULL)
        if (strlen(text) + strlen(line) < sizeof text)
            strcat(text, line);
    int status = pclose(pipe);
    if (status != 0)
        printf("\n%s\n%s", command, text);
    return status;
}

/* Compile a check with the compiler and its options, and run it. */
static void check(const char *compiler, const char *name)
{
    char command[1024];
    snprintf(command, sizeof command,
             "%s -std=c++17 -Wall -Wextra -Wno-missing-field-initializers"
             " -Werror -DSTRIDE=13" INCLUDE HERE
             "%s.cpp -o %s/%s 2>&1 && %s/%s",
             compiler, name, folder, name, folder, name);
    CU_ASSERT_EQUAL(run(command), 0);
}

#ifndef __SANITIZE_ADDRESS__
enum { COMPILERS = 3 };

/* The day's checks of a compiler; passes with a message if it is missing. */
static void run_checks(int turn, const char *compiler, const char *program)
{
    const char *part = getenv("PROGRAMS");
    const bool all = part && !strcmp(part, "all");
    const size_t today = (size_t)(time(NULL) / 86400) + turn;
    char command[128];
    snprintf(command, sizeof command, "command -v %s", program);
    if (system(strcat(command, " >/dev/null")) != 0) {
        printf("(%s is not installed) ", program);
        return;
    }
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        if (all || (i + today) % COMPILERS == 0)
            check(compiler, checks[i]);
}

static void gcc_here(void) { run_checks(0, "g++ -O1 -march=native", "g++"); }
static void clang_old(void) { run_checks(1, "clang++-14 -O1", "clang++-14"); }
static void clang_new(void)
{
    /* The warning is about this processor: clang 19 knows no AVX10 of 256
     * bits. */
    run_checks(2,
               "clang++-19 -O1 -march=native -Wno-invalid-feature-combination",
               "clang++-19");
}
#endif

/* The copy of a vector is one access: callbacks and copies are one file,
 * compiled without and with the sanitizer. */
static void one_access(void)
{
    static const char *const compilers[] = {"g++", "clang++-14", "clang++-19"};
    for (size_t i = 0; i < sizeof compilers / sizeof *compilers; i++) {
        char command[1024];
        snprintf(command, sizeof command,
                 "command -v %s >/dev/null || exit 0; %s -std=c++17 -O1 -g"
                 " -fsanitize=thread -DSOFTGPU_INSTRUMENTED" INCLUDE "-c " HERE
                 "one_access.cc -o %s/copies.o 2>&1 && g++ -std=c++17 -DWATCHER"
                 " " HERE "one_access.cc %s/copies.o -o %s/one_access 2>&1"
                 " && %s/one_access",
                 compilers[i], compilers[i], folder, folder, folder, folder);
        CU_ASSERT_EQUAL(run(command), 0);
    }
    check("g++ -O1 -DSOFTGPU_INSTRUMENTED", "layout");
}

/* nvcc agrees with layout.cpp's assertions. */
static void nvcc_agrees(void)
{
    char command[512];
    snprintf(command, sizeof command,
             "command -v nvcc >/dev/null || exit 0; nvcc -std=c++17 -x cu -w "
             "-c " HERE "layout.cpp -o %s/layout.o 2>&1",
             folder);
    CU_ASSERT_EQUAL(run(command), 0);
}

int main(void)
{
    char command[128];
    CU_TestInfo tests[] = {
#ifndef __SANITIZE_ADDRESS__
        {"g++, this processor", gcc_here},
        {"clang++-14, any processor", clang_old},
        {"clang++-19, this processor", clang_new},
#endif
        {"a vector is copied in one access", one_access},
        {"nvcc agrees on the layout", nvcc_agrees},
        CU_TEST_INFO_NULL,
    };
    if (mkdtemp(folder) == NULL)
        return 1;
    const int status = run_tests("types and math", tests);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) != 0 || status != 0;
}
