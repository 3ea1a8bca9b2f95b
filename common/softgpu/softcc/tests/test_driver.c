/* SPDX-License-Identifier: MIT */
/* The command line of softcc: options, exit codes, files.  The softcc of this
 * program's build folder is tested.  Run from the root of the source tree, as
 * `make test` does. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/tests/run_tests.h"
#include "softcc_line.h"

#define HERE "common/softgpu/softcc/tests/"

static void test_command_lines(void)
{
    static const struct {
        const char *line;
        int status;
        const char *says; /* beginning of one line on stderr; NULL: none */
    } table[] = {
        { "--help", 0, NULL },
        { "--version", 0, NULL },
        { "", 2, "softcc: no input file" },
        { "--bogus x.cu", 2, "softcc: unknown option --bogus" },
        { "-std=c++99 x.cu", 2, "softcc: unknown value of -std" },
        { "--std gnu17 x.cu", 2, "softcc: unknown value of --std" },
        { "-arch=sm_x x.cu", 2, "softcc: unknown value of -arch" },
        { "--gpu-architecture compute_1 x.cu", 2, "softcc: unknown value" },
        { "-arch=native -std=c++2a -c %s/good.cu -o %s/good.o", 0, NULL },
        { "-arch sm_100a -std=gnu++11 -c %s/good.cu -o %s/good.o", 0, NULL },
        { "x.cu -o", 2, "softcc: no argument after -o" },
        { "-c %s/none.cu", 4, "softcc: cannot compile " },
        { "-c %s", 4, "softcc: cannot compile " },
        { "-c %s/empty.cu", 4, "softcc: cannot compile " },
        { "-c %s/good.cu -o %s/no/such.o", 4, "softcc: cannot write " },
        { "-c %s/good.cu -o %s", 4, "softcc: cannot write " },
        { "-c %s/good.cu %s/good.cu -o %s/x.o", 2, "softcc: -o names " },
        { "-c %s/good.cu -o %s/good.o", 0, NULL },
        { "-c %s/good.cu -arch=sm_90 -gencode arch=compute_80,code=sm_80 -O2 "
          "-std=c++14 -Xcompiler -Wall,-fPIC -lineinfo -rdc=true -lcudart "
          "--expt-relaxed-constexpr -Xptxas -v -ccbin g++ -MMD -MF %s/d -o "
          "%s/good.o", 0, NULL },
        { "-x cu -DN=3 -DT=x -UM -I %s -c %s/good.txt -o /dev/null", 0, NULL },
        { "--show %s/good.cu -o %s/shown", 0, NULL },
        { "--options-file=%s/none -c x.cu", 4, "softcc: cannot read the " },
        { "--bogus -forward-unknown-to-host-compiler x.cu", 2, "softcc: un" },
        { "-c " HERE "cases/architecture.cu -o %s/good.o", 0, NULL },
        { "-c " HERE "cases/errors.cu -E -o %s/shown", 0, NULL },
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct result r = line_run(table[i].line);
        const char *err = r.err.bytes ? r.err.bytes : "";
        bool as_expected = table[i].says
                        ? strncmp(err, table[i].says, strlen(table[i].says))
                                  == 0
                              && strchr(err, '\n') == err + strlen(err) - 1
                        : r.err.length == 0;
        if (r.status != table[i].status || !as_expected)
            printf("\nsoftcc %s: %d, %s\n", table[i].line, r.status, err);
        CU_ASSERT_EQUAL(r.status, table[i].status);
        CU_ASSERT(as_expected);
        free_result(&r);
    }
}

/* Let softcc use this script for the C++ compiler, until unsetenv(). */
static void use_compiler(const char *name, const char *script)
{
    line_write(name, script);
    CU_ASSERT_EQUAL(chmod(line_path(name), 0700), 0);
    setenv("SOFTCC_CXX", line_path(name), 1);
}

/* Requests of build systems to nvcc: files of options, an empty object from the
 * link of device code, a library, a dependency list, a library by its path. */
static void test_build_systems(void)
{
    static const char *const lines[] = {
        "-forward-unknown-to-host-compiler -mtune=native -Werror all-warnings "
        "--options-file %s/words -c %s/words.cu -o %s/good.o",
        "@%s/words -c %s/words.cu -o %s/good.o",
        "-dlink %s/good.o -o %s/linked.o",
        "-lib %s/good.o %s/linked.o -o %s/both.a",
        "-Wl,-z,now -rdynamic -Wl,--whole-archive %s/both.a "
        "-Wl,--no-whole-archive %s/libcudart_static.a -o %s/good.o",
        "-MM %s/words.cu"
    };
    line_write("words", " -DA='2 + 2'\n\"-DB=\\\"x y\\\"\" -O1\n");
    line_write("words.cu", "static_assert(A == 4 && sizeof B == 4, \"\");\n"
                           "int main() {}\n");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct result r = line_run(lines[i]);
        const char *said = r.out.bytes ? r.out.bytes : "";
        CU_ASSERT_EQUAL(r.status, 0);
        CU_ASSERT_EQUAL(r.err.length, 0);
        CU_ASSERT_EQUAL(strncmp(said, "words.o: ", 9) == 0, i == 5);
        free_result(&r);
    }
}

/* An error leaves an older result as it was, and nothing beside it. */
static void test_failed_output(void)
{
    line_write("bad.cu", "int main() { return undefined; }\n");
    line_write("bad.o", "old");
    struct result r = line_run("-c %s/bad.cu -o %s/bad.o");
    CU_ASSERT_EQUAL(r.status, 1);
    CU_ASSERT(line_exists("bad.o"));
    free_result(&r);
    r = line_run("-c %s/bad.cu -o %s/new.o");
    CU_ASSERT_FALSE(line_exists("new.o"));
    CU_ASSERT(line_exists("d")); /* written by -MF above */
    CU_ASSERT(line_exists("shown"));
    free_result(&r);
}

/* A library of the Toolkit is replaced by its backend; if that is not
 * installed, one line tells how to install it. */
static void backend_libraries(void)
{
    static const char compiler[] =
        "#!/bin/sh\n"
        "case $1 in -print-file-name=*) echo \"${1#*=}\" ;;\n"
        "*) exec g++ \"$@\" ;; esac\n";
    struct result r = line_run("-c %s/good.cu -lcudnn -lcublas -o %s/good.o");
    CU_ASSERT_EQUAL(r.status, 0);
    free_result(&r);
    use_compiler("cxx", compiler);
    r = line_run("%s/good.cu -lcudnn -o %s/needs");
    unsetenv("SOFTCC_CXX");
    CU_ASSERT_EQUAL(r.status, 5);
    CU_ASSERT_STRING_EQUAL(r.err.bytes ? r.err.bytes : "",
                           "softcc: -lcudnn needs libdnnl.so, which is not "
                           "installed: apt-get install libdnnl-dev\n");
    CU_ASSERT_FALSE(line_exists("needs"));
    free_result(&r);
}

#ifndef __SANITIZE_ADDRESS__ /* the runtime of build/san needs the sanitizers */
/* Constructors that do something are told when the program starts. */
static void test_constructors(void)
{
    line_write("own.cpp", "struct E { int x; __device__ E() {} };\n"
                          "struct F { int x; __device__ F() { x = 4; } };\n"
                          "__device__ E e;\n__device__ F f;\nint main() {}\n");
    const char *argv[] = { line_path("good.o"), NULL };
    struct result r = line_run("-x cu %s/own.cpp -o %s/good.o");
    CU_ASSERT_EQUAL(r.status, 0);
    free_result(&r);
    r = run_program(&(struct list){ argv, 1 }, NULL);
    CU_ASSERT_PTR_NOT_NULL(strstr(r.err.bytes ? r.err.bytes : "",
                                  "own.cpp:4: error: dynamic"));
    free_result(&r);
}
#endif

/* An interrupt at any moment: exit code 130, no files. */
static void test_interrupt(void)
{
    char source[128], target[128];
    snprintf(source, sizeof source, "%s/good.cu", line_folder);
    snprintf(target, sizeof target, "%s/never.o", line_folder);
    for (unsigned wait = 20; wait <= 140; wait += 40) {
        int status = 0;
        pid_t child = fork();
        if (child == 0) {
            fclose(stderr);
            execl(line_softcc, line_softcc, "-c", source, "-o", target,
                  (char *)NULL);
            _exit(127);
        }
        usleep(wait * 1000);
        kill(child, SIGINT);
        waitpid(child, &status, 0);
        bool finished = WIFEXITED(status) && WEXITSTATUS(status) == 0;
        bool early = WIFSIGNALED(status); /* before it could catch it */
        CU_ASSERT(finished || early || WEXITSTATUS(status) == 130);
        CU_ASSERT_EQUAL(line_exists("never.o"), finished);
        unlink(target);
    }
}

/* A full disk is one line and exit code 4. */
static void test_full_disk(void)
{
    struct result r = line_run("--show %s/good.cu -o /dev/full");
    CU_ASSERT_EQUAL(r.status, 4);
    CU_ASSERT_PTR_NOT_NULL(strstr(r.err.bytes ? r.err.bytes : "",
                                  "softcc: cannot write /dev/full"));
    free_result(&r);
}

/* So is one that the compiler reports, with more lines. */
static void test_full_disk_in_compiler(void)
{
    use_compiler("cc", "#!/bin/sh\n"
                 "for a; do [ \"$a\" = -E ] && exec g++ \"$@\"; done\n"
                 "echo '/tmp/x.s: No space left on device' >&2\n"
                 "echo 'compilation terminated.' >&2\n"
                 "exit 1\n");
    struct result r = line_run("-c %s/good.cu -o %s/never.o");
    unsetenv("SOFTCC_CXX");
    const char *err = r.err.bytes ? r.err.bytes : "";
    CU_ASSERT_EQUAL(r.status, 4);
    CU_ASSERT_EQUAL(strncmp(err, "softcc: cannot write ", 21), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(err, "never.o"));
    CU_ASSERT_PTR_EQUAL(strchr(err, '\n'), err + strlen(err) - 1);
    CU_ASSERT(!line_exists("never.o"));
    free_result(&r);
}

static int set_up(void)
{
    if (line_set_up())
        return 1;
    line_write("good.txt", "__global__ void k(int *p) { *p = threadIdx.x; }\n"
                           "int main() { k<<<1, 1>>>(nullptr); }\n");
    line_write("empty.cu", "");
    return 0;
}

int main(void)
{
    CU_TestInfo tests[] = {
        {"options and exit codes", test_command_lines},
        {"build systems", test_build_systems},
        {"nothing half written", test_failed_output},
        {"stand-ins", backend_libraries},
#ifndef __SANITIZE_ADDRESS__
        {"constructors", test_constructors},
#endif
        {"interrupted", test_interrupt},
        {"full disk", test_full_disk},
        {"full disk below the compiler", test_full_disk_in_compiler},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        {"softcc, command line", set_up, line_tear_down, NULL, NULL, tests},
        CU_SUITE_INFO_NULL,
    };
    return run_suites(suites);
}
