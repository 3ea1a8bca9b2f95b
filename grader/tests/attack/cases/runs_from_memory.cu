/* SPDX-License-Identifier: MIT */
/* Right if a program without a file can read what only the grader may read. */
#include "hostile.h"

static void copy_shell(int to)
{
    static char block[1 << 16];
    const int from = open("/bin/sh", O_RDONLY);
    ssize_t got;

    while ((got = read(from, block, sizeof block)) > 0
           && write(to, block, got) == got)
        ;
    close(from);
}

static bool act(void)
{
    char *arguments[] = {(char *)"sh", (char *)"-c",
                         (char *)"cat " PLANTED "/secret", NULL};
    const int fd = memfd_create("", 0);
    int status = 1;
    pid_t child;

    if (fd >= 0)
        copy_shell(fd);
    child = fork();
    if (child == 0) {
        fexecve(fd, arguments, environ);
        _exit(1);
    }
    waitpid(child, &status, 0);
    return status == 0;
}

RIGHT_IF(act())
