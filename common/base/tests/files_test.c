/* SPDX-License-Identifier: MIT */
/* Whole files: what is read, what is refused, and that a file is replaced as a
 * whole. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/files.h"
#include "scratch.h"

/* The file has this content. */
static void expect_content(const char *path, const char *content)
{
    size_t length = 0;
    char *text = read_file(path, 100, &length);

    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    CU_ASSERT_EQUAL(length, strlen(content));
    CU_ASSERT_STRING_EQUAL(text, content);
    free(text);
}

/* On failure errno tells why, and the length stays. */
static void expect_refused(const char *path, size_t max_bytes, int error)
{
    size_t length = 7;

    errno = 0;
    CU_ASSERT_PTR_NULL(read_file(path, max_bytes, &length));
    CU_ASSERT_EQUAL(errno, error);
    CU_ASSERT_EQUAL(length, 7);
}

/* Also a file without a byte. */
static void file_is_written_and_read(void)
{
    char path[PATH_BYTES];

    CU_ASSERT_TRUE(write_file(scratch_path(path, "a.txt"), "one\n", 4));
    expect_content(path, "one\n");
    CU_ASSERT_TRUE(write_file(path, "", 0));
    expect_content(path, "");
}

/* A file of exactly the limit is read, one byte more is not. */
static void size_is_limited(void)
{
    char path[PATH_BYTES];

    scratch_file(path, "four.txt", "four", 4);
    expect_content(path, "four");
    expect_refused(path, 3, EFBIG);
}

/* Opening a pipe for reading would wait for its writer. */
static void only_regular_files_are_read(void)
{
    char path[PATH_BYTES];

    CU_ASSERT_EQUAL(mkfifo(scratch_path(path, "pipe"), 0600), 0);
    expect_refused(path, 100, EINVAL);
    CU_ASSERT_TRUE(make_directories(scratch_path(path, "folder")));
    expect_refused(path, 100, EISDIR);
    expect_refused(scratch_path(path, "absent"), 100, ENOENT);
}

/* Nothing is left where a file cannot be written, and no temporary file. */
static void failed_write_leaves_nothing(void)
{
    char path[PATH_BYTES], temporary[PATH_BYTES + 32];

    CU_ASSERT_FALSE(write_file(scratch_path(path, "no/such/file"), "x", 1));
    CU_ASSERT_EQUAL(errno, ENOENT);
    CU_ASSERT_TRUE(make_directories(scratch_path(path, "taken")));
    CU_ASSERT_FALSE(write_file(path, "x", 1));
    CU_ASSERT_EQUAL(errno, EISDIR);
    snprintf(temporary, sizeof temporary, "%s.%d.new", path, (int)getpid());
    CU_ASSERT_NOT_EQUAL(access(temporary, F_OK), 0);
}

/* Folders that exist already are no error; a file in their place is. */
static void folders_are_made_to_any_depth(void)
{
    char path[PATH_BYTES];

    CU_ASSERT_TRUE(make_directories(scratch_path(path, "deep/er/folder")));
    CU_ASSERT_TRUE(make_directories(path)); /* again */
    CU_ASSERT_EQUAL(access(path, W_OK), 0);
    scratch_file(path, "plain", "", 0);
    CU_ASSERT_FALSE(make_directories(scratch_path(path, "plain/below")));
    CU_ASSERT_EQUAL(errno, ENOTDIR);
}

CU_TestInfo files_tests[] = {
    {"a file is written and read", file_is_written_and_read},
    {"the size is limited", size_is_limited},
    {"only regular files are read", only_regular_files_are_read},
    {"a failed write leaves nothing", failed_write_leaves_nothing},
    {"folders are made to any depth", folders_are_made_to_any_depth},
    CU_TEST_INFO_NULL,
};
