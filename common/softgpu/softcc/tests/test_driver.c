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
#include "common/softgpu/softcc/compiler/run.h"

#define HERE "common/softgpu/softcc/tests/"

static char softcc[4096]; /* beside this program: <build>/softcc */
static char folder[64];   /* for results */

/* Run softcc with the words of a line; %s is the folder. */
static struct result run_line(const char *line)
{
    char text[1024];
    snprintf(text, sizeof text, line, folder, folder, folder, folder);
    struct list argv = { 0 };
    list_append(&argv, softcc);
    for (char *rest = text, *word; (word = strsep(&rest, " ")) != NULL;)
        if (*word)
            list_append(&argv, word);
    struct result r = run_program(&argv, NULL);
    free(argv.at);
    return r;
}

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
        struct result r = run_line(table[i].line);
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

/* The path of a file for results, until the next call. */
static const char *path_of(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_file(const char *name, const char *text)
{
    FILE *f = fopen(path_of(name), "w");
    if (f) {
        fputs(text, f);
        fclose(f);
    }
}

/* Let softcc use this script for the C++ compiler, until unsetenv(). */
static void use_compiler(const char *name, const char *script)
{
    write_file(name, script);
    CU_ASSERT_EQUAL(chmod(path_of(name), 0700), 0);
    setenv("SOFTCC_CXX", path_of(name), 1);
}

static void make_folder(const char *name)
{
    mkdir(path_of(name), 0700);
}

static bool exists(const char *name)
{
    return access(path_of(name), F_OK) == 0;
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
    write_file("words", " -DA='2 + 2'\n\"-DB=\\\"x y\\\"\" -O1\n");
    write_file("words.cu", "static_assert(A == 4 && sizeof B == 4, \"\");\n"
                           "int main() {}\n");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct result r = run_line(lines[i]);
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
    write_file("bad.cu", "int main() { return undefined; }\n");
    write_file("bad.o", "old");
    struct result r = run_line("-c %s/bad.cu -o %s/bad.o");
    CU_ASSERT_EQUAL(r.status, 1);
    CU_ASSERT(exists("bad.o"));
    free_result(&r);
    r = run_line("-c %s/bad.cu -o %s/new.o");
    CU_ASSERT_FALSE(exists("new.o"));
    CU_ASSERT(exists("d")); /* written by -MF above */
    CU_ASSERT(exists("shown"));
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
    struct result r = run_line("-c %s/good.cu -lcudnn -lcublas -o %s/good.o");
    CU_ASSERT_EQUAL(r.status, 0);
    free_result(&r);
    use_compiler("cxx", compiler);
    r = run_line("%s/good.cu -lcudnn -o %s/needs");
    unsetenv("SOFTCC_CXX");
    CU_ASSERT_EQUAL(r.status, 5);
    CU_ASSERT_STRING_EQUAL(r.err.bytes ? r.err.bytes : "",
                           "softcc: -lcudnn needs libdnnl.so, which is not "
                           "installed: apt-get install libdnnl-dev\n");
    CU_ASSERT_FALSE(exists("needs"));
    free_result(&r);
}

static int set_up(void)
{
    static const char good[] =
        "__global__ void k(int *p) { *p = threadIdx.x; }\n"
        "int main() { k<<<1, 1>>>(nullptr); }\n";
    ssize_t n = readlink("/proc/self/exe", softcc, sizeof softcc - 8);
    char *tests = n > 0 ? strstr(softcc, "/tests/") : NULL;
    if (tests == NULL)
        return 1;
    strcpy(tests, "/softcc");
    strcpy(folder, "/tmp/test_softcc-XXXXXX");
    if (mkdtemp(folder) == NULL || setenv("SOFTGPU_HOME", ".", 1))
        return 1;
    write_file("good.cu", good);
    write_file("good.txt", good);
    write_file("empty.cu", "");
    return 0;
}

static int tear_down(void)
{
    static const char *const names[] = { "good.cu", "good.txt", "empty.cu", "d",
                                         "good.o", "shown", "bad.cu", "bad.o",
                                         "kit/crt/host_config.h", "kit/crt",
                                         "kit/cuda_runtime.h",
                                         "kit/nvjpeg.h", "kit", "call.cpp",
                                         "call.c", "link.cpp", "own.cpp",
                                         "library.cu", "cc", "cxx", "words",
                                         "words.cu", "linked.o", "both.a" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        remove(path_of(names[i]));
    return rmdir(folder);
}

static void expect_unsupported(const char *line, const char *says)
{
    struct result r = run_line(line);
    CU_ASSERT_EQUAL(r.status, 3);
    CU_ASSERT_PTR_NOT_NULL(strstr(r.err.bytes ? r.err.bytes : "", says));
    free_result(&r);
}

/* A difference between host and device code is reported by line. */
static void test_architecture(void)
{
    static const char line[] = "-c " HERE "cases/architecture_errors.cu "
                               "-o %s/good.o";
    expect_unsupported(line, "errors.cu:7:11: error: 'only' is a member only");
    expect_unsupported(line, "errors.cu:8:5: error: 'union' is a member only");
    expect_unsupported(line, "errors.cu:12:15: error: 'number' is declared in");
    expect_unsupported(line, "errors.cu:13:15: error: 'tile' is declared in");
}

/* An installed CUDA Toolkit does not hide the software GPU's headers, and its
 * other headers are rejected by name, as without a Toolkit. */
static void test_toolkit_headers(void)
{
    make_folder("kit");
    make_folder("kit/crt");
    write_file("kit/crt/host_config.h", "");
    write_file("kit/cuda_runtime.h", "#error not ours\n");
    write_file("kit/nvjpeg.h", "");
    write_file("library.cu", "#ifdef MISSING\n"
                             "#include <thrust/none.h>\n#endif\n"
                             "#include <nvjpeg.h>\nint main() {}\n");
    struct result r = run_line("-I%s/kit -c %s/good.cu -o %s/good.o");
    CU_ASSERT_EQUAL(r.status, 0);
    free_result(&r);
    expect_unsupported("-I%s/kit -c %s/library.cu -o %s/good.o",
                   "library.cu:4:1: error: <nvjpeg.h> is part of the CUDA");
    expect_unsupported("-DMISSING -c %s/library.cu -o %s/good.o",
                   "library.cu:2:10: error: <thrust/none.h> is part of");
    if (access("/usr/bin/clang++-14", X_OK) == 0) { /* it quotes the name */
        setenv("SOFTCC_CXX", "/usr/bin/clang++-14", 1);
        expect_unsupported("-DMISSING -c %s/library.cu -o %s/good.o",
                       "library.cu:2:10: error: <thrust/none.h> is part of");
        unsetenv("SOFTCC_CXX");
    }
}

/* Names of CUDA that are not there are one line each, in every language, from
 * the compiler and from the linker; a program's own errors stay as they are. */
static void test_refused_names(void)
{
    write_file("call.cpp",
               "#include <cuda_runtime.h>\n#include <nvjpeg.h>\n"
               "int main() { return cudaNone(1) + nvjpegNone(); }\n");
    write_file("call.c", "#include <cuda_runtime_api.h>\n"
                         "int main(void) { return cudaNone(1); }\n");
    write_file("link.cpp", "extern \"C\" int ncclNone();\n"
                           "int main() { return ncclNone(); }\n");
    write_file("own.cpp", "#include <cuda_runtime.h>\n"
                          "namespace cub { struct pair {} p; int n = p; }\n"
                          "int main() { return cubes + CUDA_OK + CUBE_X\n"
                          "                    + cudaFree(1, 2); }\n");
    make_folder("kit");
    write_file("kit/nvjpeg.h", "int nvjpegNone();\n");
    expect_unsupported("-I%s/kit -c %s/call.cpp -o %s/good.o",
                       "call.cpp:2:1: error: <nvjpeg.h> is part of the CUDA");
    write_file("call.cpp",
               "#include <cuda_runtime.h>\n"
               "int main() { return cudaNone(1) + nvjpegNone(); }\n");
    expect_unsupported("-c %s/call.cpp -o %s/good.o",
                       "call.cpp:2:21: error: cudaNone: the software GPU does");
    expect_unsupported("-c %s/call.cpp -o %s/good.o",
                       "call.cpp:2:35: error: nvjpegNone: there is no nvJPEG");
    write_file("constant.cu",
               "#include <cusparse.h>\n"
               "int main() { return cusparseNone(0, CUSPARSE_NONE,\n"
               "CUDA_R_1F, CUBLASLT_NONE, CUDNN_NONE, NVML_NONE); }\n");
    expect_unsupported("-c %s/constant.cu -o %s/good.o",
                       "constant.cu:2:37: error: CUSPARSE_NONE: of cuSPARSE");
    expect_unsupported("-c %s/constant.cu -o %s/good.o",
                       "constant.cu:3:1: error: CUDA_R_1F: this type");
    expect_unsupported("-c %s/constant.cu -o %s/good.o",
                       "constant.cu:3:12: error: CUBLASLT_NONE: of cuBLAS");
    expect_unsupported("-c %s/call.c -o %s/good.o",
                       "call.c:2:25: error: cudaNone: ");
    expect_unsupported("-g %s/link.cpp -o %s/good.o",
                       "error: ncclNone: there is no NCCL");
    expect_unsupported("%s/good.cu -lnvjpeg -o %s/good.o",
                       "softcc: error: -lnvjpeg: there is no nvJPEG");
    struct result r = run_line("-c %s/own.cpp -o %s/good.o");
    CU_ASSERT_EQUAL(r.status, 1);
    CU_ASSERT_PTR_NULL(strstr(r.err.bytes, "software GPU"));
    free_result(&r);
}

#ifndef __SANITIZE_ADDRESS__ /* the runtime of build/san needs the sanitizers */
/* Constructors that do something are told when the program starts. */
static void test_constructors(void)
{
    write_file("own.cpp", "struct E { int x; __device__ E() {} };\n"
                          "struct F { int x; __device__ F() { x = 4; } };\n"
                          "__device__ E e;\n__device__ F f;\nint main() {}\n");
    const char *argv[] = { path_of("good.o"), NULL };
    struct result r = run_line("-x cu %s/own.cpp -o %s/good.o");
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
    snprintf(source, sizeof source, "%s/good.cu", folder);
    snprintf(target, sizeof target, "%s/never.o", folder);
    for (unsigned wait = 20; wait <= 140; wait += 40) {
        int status = 0;
        pid_t child = fork();
        if (child == 0) {
            fclose(stderr);
            execl(softcc, softcc, "-c", source, "-o", target, (char *)NULL);
            _exit(127);
        }
        usleep(wait * 1000);
        kill(child, SIGINT);
        waitpid(child, &status, 0);
        bool finished = WIFEXITED(status) && WEXITSTATUS(status) == 0;
        bool early = WIFSIGNALED(status); /* before it could catch it */
        CU_ASSERT(finished || early || WEXITSTATUS(status) == 130);
        CU_ASSERT_EQUAL(exists("never.o"), finished);
        unlink(target);
    }
}

/* A full disk is one line and exit code 4. */
static void test_full_disk(void)
{
    struct result r = run_line("--show %s/good.cu -o /dev/full");
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
    struct result r = run_line("-c %s/good.cu -o %s/never.o");
    unsetenv("SOFTCC_CXX");
    const char *err = r.err.bytes ? r.err.bytes : "";
    CU_ASSERT_EQUAL(r.status, 4);
    CU_ASSERT_EQUAL(strncmp(err, "softcc: cannot write ", 21), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(err, "never.o"));
    CU_ASSERT_PTR_EQUAL(strchr(err, '\n'), err + strlen(err) - 1);
    CU_ASSERT(!exists("never.o"));
    free_result(&r);
}

int main(void)
{
    CU_TestInfo tests[] = {
        {"options and exit codes", test_command_lines},
        {"build systems", test_build_systems},
        {"nothing half written", test_failed_output},
        {"stand-ins", backend_libraries},
        {"architecture", test_architecture},
        {"toolkit", test_toolkit_headers},
        {"refused names", test_refused_names},
#ifndef __SANITIZE_ADDRESS__
        {"constructors", test_constructors},
#endif
        {"interrupted", test_interrupt},
        {"full disk", test_full_disk},
        {"full disk below the compiler", test_full_disk_in_compiler},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        {"softcc, command line", set_up, tear_down, NULL, NULL, tests},
        CU_SUITE_INFO_NULL,
    };
    return run_suites(suites);
}
