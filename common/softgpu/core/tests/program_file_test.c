/* SPDX-License-Identifier: MIT */
/* A program's own file, in programs that were executed by a descriptor or by
 * their path.  This program executes itself to be one. */
#include "common/softgpu/core/program_file.h"

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/tests/run_tests.h"

/* Where the offset of the executed descriptor is: one opened anew has 0. */
enum { OFFSET = 7, EXECUTED = 100 };

/* In the program that was executed: is its file found, with this offset? */
static int find_file(off_t offset)
{
    const int fd = softgpu_open_program();
    struct stat found, own;

    return fd < 0 || fstat(fd, &found) || stat("/proc/self/exe", &own)
           || found.st_ino != own.st_ino || found.st_dev != own.st_dev
           || lseek(fd, 0, SEEK_CUR) != offset
           || !(fcntl(fd, F_GETFD) & FD_CLOEXEC);
}

/* The number is that of another file now, and of none. */
static int find_file_after_change(void)
{
    const int other = open("/bin/sh", O_RDONLY | O_CLOEXEC);

    if (other < 0 || dup2(other, EXECUTED) < 0 || find_file(0))
        return 1;
    close(EXECUTED);
    return find_file(0);
}

/* Execute this program as a child.
 * @return its wait status */
static int execute(char *what, bool by_descriptor)
{
    char *arguments[] = {"program_file_test", what, NULL};
    const pid_t child = fork();
    int status = -1;

    if (child == 0) {
        const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

        if (!by_descriptor)
            execv("/proc/self/exe", arguments);
        else if (dup2(file, EXECUTED) == EXECUTED
                 && lseek(EXECUTED, OFFSET, SEEK_SET) == OFFSET)
            syscall(SYS_execveat, EXECUTED, "", arguments, environ,
                    AT_EMPTY_PATH);
        _exit(127);
    }
    waitpid(child, &status, 0);
    return status;
}

static void by_descriptor(void)
{
    CU_ASSERT_EQUAL(execute("descriptor", true), 0);
}

static void by_path(void)
{
    CU_ASSERT_EQUAL(execute("path", false), 0);
}

static void descriptor_of_another_file(void)
{
    CU_ASSERT_EQUAL(execute("changed", true), 0);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"executed by a descriptor", by_descriptor},
        {"executed by its path", by_path},
        {"its descriptor is of another file", descriptor_of_another_file},
        CU_TEST_INFO_NULL};

    if (argc > 1 && !strcmp(argv[1], "changed"))
        return find_file_after_change();
    if (argc > 1)
        return find_file(strcmp(argv[1], "path") ? OFFSET : 0);
    return run_tests("program_file", tests);
}
