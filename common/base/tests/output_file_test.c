/* SPDX-License-Identifier: MIT */
/* A file that is named early and written late: what is planted meanwhile under
 * its name is replaced, and nothing else is touched. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/files.h"
#include "common/base/output_file.h"
#include "scratch.h"

/* A plain file with this text. */
static void expect_text(const char *path, const char *text)
{
    size_t length = 0;
    char *found = read_file(path, 100, &length);
    struct stat about;

    CU_ASSERT_PTR_NOT_NULL_FATAL(found);
    CU_ASSERT_STRING_EQUAL(found, text);
    CU_ASSERT_EQUAL(lstat(path, &about), 0);
    CU_ASSERT_TRUE(S_ISREG(about.st_mode));
    free(found);
}

/* Open an output file in the folder of the test. */
static void open_in_scratch(const char *name, char *path,
                            struct output_file *file)
{
    CU_ASSERT_TRUE_FATAL(output_file_open(scratch_path(path, name), file));
}

/* Write and close, then compare. */
static void finish(struct output_file *file, const char *path)
{
    CU_ASSERT_TRUE(output_file_write(file, "right", 5));
    output_file_close(file);
    expect_text(path, "right");
}

/* Opening it would wait for a reader. */
static void pipe_is_replaced(void)
{
    char path[PATH_BYTES];
    struct output_file file;

    open_in_scratch("late.json", path, &file);
    CU_ASSERT_EQUAL(mkfifo(path, 0666), 0);
    finish(&file, path);
}

/* A link that appears after the opening is replaced, its target untouched. */
static void link_is_not_followed(void)
{
    char path[PATH_BYTES], victim[PATH_BYTES];
    struct output_file file;

    scratch_file(victim, "victim", "mine", 4);
    open_in_scratch("linked.json", path, &file);
    CU_ASSERT_EQUAL(symlink(victim, path), 0);
    finish(&file, path);
    expect_text(victim, "mine");
}

/* The folder is the one that was opened, wherever its name leads later. */
static void folder_stays(void)
{
    char folder[PATH_BYTES], moved[PATH_BYTES], path[PATH_BYTES];
    struct output_file file;

    CU_ASSERT_TRUE(make_directories(scratch_path(folder, "early")));
    open_in_scratch("early/a.json", path, &file);
    CU_ASSERT_EQUAL(rename(folder, scratch_path(moved, "moved")), 0);
    CU_ASSERT_EQUAL(symlink("/nonesuch", folder), 0);
    finish(&file, scratch_path(path, "moved/a.json"));
}

/* A file that cannot be written is refused before the work is done. */
static void errors_come_early(void)
{
    char path[PATH_BYTES];
    struct output_file file;

    CU_ASSERT_FALSE(output_file_open("/nonesuch/a.json", &file));
    CU_ASSERT_EQUAL(errno, ENOENT);
    CU_ASSERT_FALSE(output_file_open("/tmp/", &file));
    CU_ASSERT_EQUAL(mkfifo(scratch_path(path, "early.pipe"), 0600), 0);
    CU_ASSERT_FALSE(output_file_open(path, &file)); /* it has no reader */
    CU_ASSERT_EQUAL(errno, ENXIO);
    CU_ASSERT_TRUE(output_file_open("/dev/null", &file));
    CU_ASSERT_TRUE(output_file_write(&file, "x", 1));
    output_file_close(&file);
}

CU_TestInfo output_file_tests[] = {
    {"a planted pipe is replaced", pipe_is_replaced},
    {"a planted link is not followed", link_is_not_followed},
    {"the folder stays", folder_stays},
    {"errors come early", errors_come_early},
    CU_TEST_INFO_NULL,
};
