/* SPDX-License-Identifier: MIT */
/* Running a compiler: its time, more where other programs keep the machine busy,
 * its message, and its temporary files. */
#include <stdlib.h>
#include <unistd.h>

#include "common/base/command.h"
#include "common/base/paths.h"
#include "common/base/temp_dir.h"
#include "common/base/text.h"
#include "run_tests.h"

/* Programs that want to run, for the code under test; -1: nobody knows. */
static double programs;

/* In place of the C library's. */
int getloadavg(double load[], int count)
{
    (void)count;
    load[0] = programs;
    return programs < 0 ? -1 : 1;
}

/* The extension for so many programs on each processor. */
static double extension(double on_each)
{
    programs = on_each * (double)sysconf(_SC_NPROCESSORS_ONLN);
    return command_seconds(120) / 120;
}

/* A quiet machine has the limit itself, a busy one in proportion, and a machine
 * that is lost in its work eight times the limit. */
static void busy_machine_has_more_time(void)
{
    CU_ASSERT_DOUBLE_EQUAL(extension(0), 1, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(extension(1), 1, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(extension(2.5), 2.5, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(extension(100), MAX_EXTENSION, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(extension(-1), 1, 1e-9);
}

/* A command that ends has its own message, not one about time. */
static void message_is_the_commands(void)
{
    struct command command = {0};
    char *log = NULL;

    command_add(&command, "sh");
    command_add(&command, "-c");
    command_add(&command, "echo no such kernel >&2; exit 3");
    programs = 0;
    CU_ASSERT_FALSE(command_run(&command, "/", &log));
    CU_ASSERT_PTR_NOT_NULL_FATAL(log);
    CU_ASSERT_STRING_EQUAL(log, "no such kernel\n");
    free(log);
}

/* Temporary files of a compiler that is killed stay where the next start
 * collects them; nothing else of the environment changes. */
static void temporary_files_are_ours(void)
{
    struct command command = {0};
    char *log = NULL, expected[PATH_MAX + 16];

    setenv("TMPDIR", "/no/such/folder", 1);
    setenv("TMPDIRS", "as it was", 1);
    command_add(&command, "sh");
    command_add(&command, "-c");
    command_add(&command, "echo \"$TMPDIR $TMPDIRS\" >&2");
    CU_ASSERT_TRUE(command_run(&command, "/", &log));
    CU_ASSERT_PTR_NOT_NULL_FATAL(log);
    text_format(expected, sizeof expected, "%s as it was\n", temp_process_dir());
    CU_ASSERT_STRING_EQUAL(log, expected);
    free(log);
}

int main(void)
{
    static CU_TestInfo tests[] = {
        {"a busy machine has more time", busy_machine_has_more_time},
        {"a command has its own message", message_is_the_commands},
        {"its temporary files are ours", temporary_files_are_ours},
        CU_TEST_INFO_NULL};

    if (!paths_init())
        return 2;
    return run_tests("commands", tests);
}
