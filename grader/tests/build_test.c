/* SPDX-License-Identifier: MIT */
/* Building: what is out of date, actions that fail, the compiler's log. */
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/file_time.h"
#include "common/base/files.h"
#include "common/base/paths.h"
#include "common/base/temp_dir.h"
#include "common/base/text.h"
#include "grader/build/build.h"
#include "common/base/tests/run_tests.h"

static char folder[PATH_MAX];
static struct recipe recipe;

/* Writes a file of the folder that was last modified at `time`. */
static const char *make_file(const char *name, const char *text, long time)
{
    const struct timespec times[2] = {{time, 0}, {time, 0}};
    const char *path = recipe_text(&recipe, "%s/%s", folder, name);

    CU_ASSERT_TRUE(write_file(path, text, strlen(text)));
    CU_ASSERT_EQUAL(utimensat(AT_FDCWD, path, times, 0), 0);
    return path;
}

/* Escaped blanks, several lines. */
static void reads_depfile(void)
{
    char text[PATH_MAX * 4];
    const char *path;

    recipe.used = 0;
    make_file("a.cu", "", 100);
    make_file("b c.h", "", 300);
    text_format(text, sizeof text, "x.o: %s/a.cu \\\n  %s/b\\ c.h\n\n%s/b.h:\n",
                folder, folder, folder);
    path = make_file("x.d", text, 1);
    CU_ASSERT_EQUAL(depfile_mtime(path), 300);
    text_format(text, sizeof text, "x.o: %s/a.cu %s/none.h\n", folder, folder);
    CU_ASSERT_EQUAL(depfile_mtime(make_file("x.d", text, 1)), HUGE_VAL);
    CU_ASSERT_EQUAL(depfile_mtime("/nonesuch.d"), HUGE_VAL);
}

/* An action that copies "in" to "out" of the folder. */
static struct action *copy_action(void)
{
    struct action *action;

    memset(&recipe, 0, sizeof recipe);
    action = recipe_add(&recipe, "cp", "in",
                        recipe_text(&recipe, "%s/out", folder));
    action_add_input(action, recipe_text(&recipe, "%s/in", folder));
    command_add(&action->command, action->partial);
    return action;
}

/* An action runs once; then again when an input is newer. */
static void runs_what_is_out_of_date(void)
{
    const struct action *action = copy_action();
    struct execution_end end;

    make_file("in", "1", 100);
    CU_ASSERT_FALSE(action_is_up_to_date(action));
    CU_ASSERT_PTR_NULL(execute_actions(action, 1, &end));
    free(end.log);
    CU_ASSERT_TRUE(action_is_up_to_date(action));
    make_file("out", "1", 100); /* of the same time: not newer */
    CU_ASSERT_FALSE(action_is_up_to_date(action));
    make_file("out", "1", 101);
    CU_ASSERT_TRUE(action_is_up_to_date(action));
}

/* A newer header makes the output old. */
static void headers_are_inputs(void)
{
    struct action action = *copy_action();
    char text[PATH_MAX * 2];

    make_file("in", "1", 100);
    make_file("b.h", "", 200);
    text_format(text, sizeof text, "x.o: %s/in %s/b.h\n", folder, folder);
    action.depfile = make_file("x.d", text, 1);
    make_file("out", "1", 200);
    CU_ASSERT_FALSE(action_is_up_to_date(&action));
    make_file("out", "1", 201);
    CU_ASSERT_TRUE(action_is_up_to_date(&action));
}

/* Neither the output nor half of it. */
static void failure_leaves_nothing(void)
{
    const struct action *action = copy_action();
    struct execution_end end;

    unlink(action->output);
    unlink(action->input[0]);
    /* as if half written */
    CU_ASSERT_TRUE(write_file(action->partial, "1", 1));
    CU_ASSERT_PTR_EQUAL(execute_actions(action, 1, &end), action);
    CU_ASSERT_PTR_NOT_NULL_FATAL(end.log);
    CU_ASSERT_PTR_NOT_NULL(strstr(end.log, "No such file"));
    CU_ASSERT_PTR_NULL(end.fault);
    free(end.log);
    CU_ASSERT_NOT_EQUAL(access(action->output, F_OK), 0);
    CU_ASSERT_NOT_EQUAL(access(action->partial, F_OK), 0);
}

/* Each action of an instrumented build differs from the plain one's. */
static void recipes_differ(void)
{
    static struct recipe plain;
    static struct lab lab = {.stem = "01_vector_add", .libraries = "-la  -lb"};
    struct target target = {.kind = DEVICE_SOFT, .compiler = "/softcc"};
    struct build_request request = {.target = &target, .lab = &lab,
                                    .source = "/a.cu",
                                    .output = "/tmp/runner"};
    const struct command *command;
    char error[LAB_ERROR_SIZE];

    CU_ASSERT_TRUE(recipe_create(&request, &plain, error));
    target.watch = WATCH_FINDINGS;
    CU_ASSERT_TRUE(recipe_create(&request, &recipe, error));
    CU_ASSERT_EQUAL(plain.count, recipe.count);
    CU_ASSERT_EQUAL(recipe.stage[2], recipe.count - 1);
    command = &recipe.action[recipe.count - 1].command;
    CU_ASSERT_STRING_EQUAL(command->argument[command->count - 1], "-lb");
    CU_ASSERT_STRING_EQUAL(command->argument[command->count - 2], "-la");
}

/* Warnings about the submission's lines are shown, once for each line. */
static void warnings_are_collected(void)
{
    static const char log[] =
        "/d/add.cu: In function 'void k(float*)':\n"
        "/d/add.cu:9:21: warning: 's' may be used uninitialized\n"
        "/d/add.cu:9:25: warning: 't' may be used uninitialized\n"
        "/d/add.cu:10:1: error: not a warning\n"
        "/d/other.h:3:1: warning: of a header\n"
        "/d/badd.cu:4:1: warning: of another file\n"
        "/d/add.cu:7:1: note: warning: a note\n"
        "/d/add.cu:11:2: warning: enumerated and non-enumerated type in "
        "conditional expression [-Wextra]\n"
        "/d/add.cu:12:3: warning: statement has no effect\n";
    char text[PRINTED_SIZE], small[40];

    collect_warnings("/d/add.cu", log, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text,
                           "add.cu:9:21: 's' may be used uninitialized\n"
                           "add.cu:12:3: statement has no effect\n");
    collect_warnings("/d/add.cu", log, small, sizeof small);
    CU_ASSERT_EQUAL(strlen(small), sizeof small - 1);
    collect_warnings("add.cu", "", text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "");
}

/* A case that goes on in the next one is no defect where a comment says so. */
static void comments_allow_falling_through(void)
{
    static const char log[] =
        "fall.cu:3:3: warning: this statement may fall through "
        "[-Wimplicit-fallthrough=]\n"
        "fall.cu:5:3: warning: this statement may fall through "
        "[-Wimplicit-fallthrough=]\n";
    char text[PRINTED_SIZE];
    const char *source;

    memset(&recipe, 0, sizeof recipe);
    source = make_file("fall.cu", "switch (n) {\ncase 3:\n  a = 1;\ncase 2:\n"
                       "  b = 1; /* fall through */\ncase 1:\n  c = 1;\n}\n",
                       100);
    collect_warnings(source, log, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "fall.cu:3:3: this statement may fall through "
                           "[-Wimplicit-fallthrough=]\n");
}

/* How a command ended decides whether the source is at fault. */
static void faults_come_from_the_kernel(void)
{
    static const struct {
        const char *script, *fault;
    } ends[] = {{"echo 'softcc: cannot run g++: none' >&2; exit 1", NULL},
                {"exit 5", NULL}, /* of softcc alone it has a meaning */
                {"kill -KILL $$", "a signal"}};
    struct execution_end end;

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        struct action *action = copy_action();

        action->command.count = 0;
        command_add(&action->command, "sh");
        command_add(&action->command, "-c");
        command_add(&action->command, ends[i].script);
        CU_ASSERT_PTR_EQUAL(execute_actions(action, 1, &end), action);
        CU_ASSERT_EQUAL(end.fault != NULL, ends[i].fault != NULL);
        if (end.fault && ends[i].fault)
            CU_ASSERT_PTR_NOT_NULL(strstr(end.fault, ends[i].fault));
        free(end.log);
    }
}

/* Each log, and part of the message that explains it. */
static void diagnoses_logs(void)
{
    static const char *const logs[][2] = {
        {"a\n/x/y/a.cu:3:5: error: no b\n", "a.cu:3:5: error: no b"},
        {"undefined reference to `f'\n", "a.cu does not define `int f()`"},
        {"undefined reference to `g()'\n", "`g()' is called but not defined"},
        {"multiple definition of `main'", "a.cu defines main()"},
        {"softcc: cannot run g++: none\n", "missing: softcc: cannot run"},
        {"softcc: cannot run g++: none\n", "softcc: cannot run g++"},
        {"", "without a message"},
        {"a.cu:1:2: warning: #warning a.cu:1:1: error: x\n"
         "a.cu:9:5: error: real\n", "a.cu:9:5: error: real"},
        {"g++: fatal error: Killed signal terminated program cc1plus\n",
         "\nthe file needs more memory"},
        {"", "took longer, or needed more memory"}};
    const struct lab lab = {.function = "f", .prototype = "int f()"};

    for (size_t i = 0; i < sizeof logs / sizeof *logs; i++) {
        struct build_result result = {.verdict = PASS};
        const struct execution_end end = {
            .log = (char *)logs[i][0],
            .fault = i == 4 ? "a part is missing" : NULL,
            .is_limit = i == sizeof logs / sizeof *logs - 1};

        text_format(result.runner, PATH_MAX, "%s/runner", folder);
        diagnose_build(&lab, "/x/a.cu", &end, &result);
        CU_ASSERT_PTR_NOT_NULL(strstr(result.message, logs[i][1]));
        CU_ASSERT_EQUAL(result.verdict, i == 4 ? INTERNAL : BUILD);
    }
}

int main(void)
{
    CU_TestInfo tests[] = {{"a dependency file is read", reads_depfile},
                           {"out of date", runs_what_is_out_of_date},
                           {"included headers", headers_are_inputs},
                           {"a failed action", failure_leaves_nothing},
                           {"plain and instrumented recipes", recipes_differ},
                           {"warnings are collected", warnings_are_collected},
                           {"comments allow falling through",
                            comments_allow_falling_through},
                           {"a failure's cause", faults_come_from_the_kernel},
                           {"a compiler's log", diagnoses_logs},
                           CU_TEST_INFO_NULL};

    if (!paths_init() || !temp_dir_create(folder))
        return 2;
    return run_tests("build", tests);
}
