/* SPDX-License-Identifier: MIT */
/* A build that fails because the machine is short of something costs no
 * points: what the submission is blamed for, and what it is not. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/files.h"
#include "common/base/paths.h"
#include "common/base/temp_dir.h"
#include "common/base/tests/run_tests.h"
#include "common/base/text.h"
#include "grader/build/build.h"

static char folder[PATH_MAX], source[PATH_MAX], output[PATH_MAX];
static char softcc[PATH_MAX];
static struct target target;
static struct lab lab;

/* A softcc that fails as a starved one does, without a word of the source, in
 * those of its runs that the text names: "1" the first, "2" the second. */
static bool make_compiler(const char *fails)
{
    char script[3 * PATH_MAX];

    text_format(target.compiler, PATH_MAX, "%.4000s/softcc", folder);
    text_format(script, sizeof script,
                "#!/bin/sh\necho >>'%.4000s/runs'\n"
                "case '%s' in *$(($(wc -l <'%.4000s/runs')))*)\n"
                "echo 'g++: fatal error: cannot execute cc1plus' >&2\n"
                "exit 1;;\n"
                "esac\nexec '%.4000s' \"$@\"\n",
                folder, fails, folder, softcc);
    text_format(output, PATH_MAX, "%.4000s/runs", folder);
    unlink(output);
    text_format(output, PATH_MAX, "%.4000s/runner", folder);
    unlink(output);
    return write_file(target.compiler, script, strlen(script))
           && chmod(target.compiler, 0755) == 0
           /* older than the runner's objects, which are not made again */
           && utimensat(AT_FDCWD, target.compiler,
                        (const struct timespec[]){{1, 0}, {1, 0}}, 0) == 0;
}

static enum verdict build(const char *text, const char *fails,
                          struct build_result *result)
{
    const struct build_request request = {.target = &target, .lab = &lab,
                                          .source = source, .output = output,
                                          .effort = EFFORT_LESS};

    CU_ASSERT_TRUE_FATAL(make_compiler(fails));
    CU_ASSERT_TRUE(write_file(source, text, strlen(text)));
    build_runner(&request, result);
    return result->verdict;
}

static long count_runs(void)
{
    char path[PATH_MAX];
    struct stat about = {0};

    text_format(path, sizeof path, "%.4000s/runs", folder);
    stat(path, &about);
    return (long)about.st_size; /* a newline each */
}

/* The compiler fails once, at the second of the two, or from then on. */
static void a_starved_compiler(void)
{
    char error[LAB_ERROR_SIZE], *handout = lab_extract_handout(&lab, error);
    static struct build_result result;

    CU_ASSERT_PTR_NOT_NULL_FATAL(handout);
    CU_ASSERT_EQUAL(build(handout, "1", &result), PASS);
    CU_ASSERT_EQUAL(access(result.runner, X_OK), 0);
    CU_ASSERT_STRING_EQUAL(result.message, "");
    CU_ASSERT_EQUAL(count_runs(), 3);
    CU_ASSERT_EQUAL(build(handout, "12", &result), INTERNAL);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.message, "handout"));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.message, "cannot execute"));
    CU_ASSERT_EQUAL(count_runs(), 2);
    free(handout);
}

/* An error at a line of the file is its own: nothing is built twice.  One that
 * names no line is, if it comes again after the handout was built. */
static void a_wrong_file(void)
{
    static struct build_result result;

    CU_ASSERT_EQUAL(build("#include \"vector_add.h\"\nint a = ;\n", "",
                          &result), BUILD);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.message, "vector_add.cu:2:"));
    CU_ASSERT_EQUAL(count_runs(), 1);
    CU_ASSERT_EQUAL(build("int a;\n", "", &result), BUILD);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.message, "does not define"));
    CU_ASSERT_EQUAL(count_runs(), 3);
}

/* Reports that count as an error at a line of the file. */
static void places_of_errors(void)
{
    static const char *const yes[] = {
        "/d/add.cu:3:5: error: no b\n", "add.cu:3: error: no b\n",
        "In file\n/d/add.cu(12): error: no b\n"};
    static const char *const no[] = {
        "/d/add.cu:3:5: fatal error: error writing to -: No space left\n",
        "g++: fatal error: cannot execute add.cu:3\n",
        "/d/badd.cu:3:5: error: of another file\n", "add.cu: error: x\n",
        "cc1plus: out of memory allocating 64 bytes\n", "", "add.cu:3:"};

    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        CU_ASSERT_TRUE(names_an_error("/x/add.cu", yes[i]));
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        CU_ASSERT_FALSE(names_an_error("/x/add.cu", no[i]));
}

int main(void)
{
    CU_TestInfo tests[] = {{"places of errors", places_of_errors},
                           {"a starved compiler", a_starved_compiler},
                           {"a wrong file", a_wrong_file},
                           CU_TEST_INFO_NULL};
    char error[512];

    if (!paths_init() || !temp_dir_create(folder)
        || !target_find("soft", &target, error)
        || !lab_open("01", &lab, error) || !build_shared(&target, &lab, error))
        return 2;
    text_format(source, sizeof source, "%.4000s/vector_add.cu", folder);
    text_format(softcc, sizeof softcc, "%s", target.compiler);
    return run_tests("whose fault a build is", tests);
}
