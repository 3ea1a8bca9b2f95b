/* SPDX-License-Identifier: MIT */
/* A new file: under its name there is nothing, or the old file, or the whole
 * new one; also where the file system has no files without a name. */
#include "common/base/new_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/files.h"
#include "scratch.h"

/* How many names the folder has. */
static int count_names(const char *folder)
{
    DIR *all = opendir(folder);
    struct dirent *entry;
    int count = 0;

    CU_ASSERT_PTR_NOT_NULL_FATAL(all);
    while ((entry = readdir(all)))
        count += *entry->d_name != '.' || strlen(entry->d_name) > 2;
    closedir(all);
    return count;
}

/* Is this all that the file holds? */
static bool holds(const char *path, const char *text)
{
    size_t length = 0;
    char *found = read_file(path, 100, &length);
    bool same = found && !strcmp(found, text);

    free(found);
    return same;
}

/* From now on O_TMPFILE fails in this process. */
static bool forbid_unnamed_files(void)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    bool ok = filter
              && seccomp_rule_add(filter, SCMP_ACT_ERRNO(EOPNOTSUPP),
                                  SCMP_SYS(openat), 1,
                                  SCMP_A2(SCMP_CMP_MASKED_EQ, O_TMPFILE,
                                          O_TMPFILE)) == 0
              && seccomp_load(filter) == 0;

    seccomp_release(filter);
    return ok;
}

/* Create and write, twice, then publish.  @return whether all went well */
static bool replaces(const char *folder, const char *path)
{
    static const char *const texts[] = {"first", "second"};
    struct new_file file;
    struct stat about;
    bool ok = true;

    for (int i = 0; i < 2 && ok; i++) {
        ok = new_file_create(AT_FDCWD, path, &file)
             && count_names(folder) == i + (*file.part != 0)
             && write(file.fd, texts[i], strlen(texts[i])) > 0
             && (i == 0 || holds(path, texts[0]))
             && new_file_publish(&file) && holds(path, texts[i])
             && count_names(folder) == 1;
    }
    return ok && stat(path, &about) == 0 && (about.st_mode & 0777) == 0640;
}

static void both_kinds_replace(void)
{
    char folder[PATH_BYTES], path[PATH_BYTES];
    int status = -1;
    pid_t child;

    for (int named = 0; named < 2; named++) {
        scratch_path(folder, named ? "named" : "unnamed");
        CU_ASSERT_TRUE(make_directories(folder));
        scratch_path(path, named ? "named/file" : "unnamed/file");
        child = fork();
        if (child == 0) {
            umask(0026);
            _exit(!((!named || forbid_unnamed_files())
                    && replaces(folder, path)));
        }
        waitpid(child, &status, 0);
        CU_ASSERT_EQUAL(status, 0);
    }
}

/* SIGKILL while the file is written leaves no name. */
static void killed_leaves_nothing(void)
{
    char folder[PATH_BYTES], path[PATH_BYTES];
    struct new_file file;
    int status = 0;
    pid_t child;

    CU_ASSERT_TRUE(make_directories(scratch_path(folder, "killed")));
    scratch_path(path, "killed/file");
    child = fork();
    if (child == 0) {
        if (new_file_create(AT_FDCWD, path, &file) && !*file.part
            && write(file.fd, "half", 4) == 4)
            raise(SIGKILL);
        _exit(*file.part ? 77 : 1); /* 77: no such file system here */
    }
    waitpid(child, &status, 0);
    CU_ASSERT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 77);
    CU_ASSERT_TRUE(count_names(folder) == 0 || !WIFSIGNALED(status));
}

/* Nothing stays of a file that is given up, nor of one that cannot be named. */
static void failures_leave_nothing(void)
{
    char folder[PATH_BYTES], path[PATH_BYTES];
    struct new_file file;

    CU_ASSERT_TRUE(make_directories(scratch_path(folder, "failed")));
    scratch_path(path, "failed/file");
    CU_ASSERT_TRUE(new_file_create(AT_FDCWD, path, &file));
    new_file_discard(&file);
    CU_ASSERT_EQUAL(count_names(folder), 0);
    CU_ASSERT_TRUE(make_directories(path)); /* a folder has the name */
    CU_ASSERT_TRUE(new_file_create(AT_FDCWD, path, &file));
    CU_ASSERT_FALSE(new_file_publish(&file));
    CU_ASSERT_EQUAL(errno, EISDIR);
    CU_ASSERT_EQUAL(count_names(folder), 1);
    CU_ASSERT_FALSE(new_file_create(AT_FDCWD, "/nonesuch/file", &file));
    CU_ASSERT_EQUAL(errno, ENOENT);
    CU_ASSERT_FALSE(new_file_create(AT_FDCWD, folder + strlen(folder), &file));
    CU_ASSERT_EQUAL(errno, EISDIR);
}

CU_TestInfo new_file_tests[] = {
    {"it replaces as a whole", both_kinds_replace},
    {"killed, it leaves nothing", killed_leaves_nothing},
    {"failures leave nothing", failures_leave_nothing},
    CU_TEST_INFO_NULL,
};
