/* SPDX-License-Identifier: MIT */
/* Right if a program with the set-user-ID bit, or mount, works. */
#include "hostile.h"

#include <sys/mount.h>
#include <sys/prctl.h>

static bool act(void)
{
    char *const arguments[] = {(char *)"su", (char *)"-c",
                               (char *)"true", NULL};
    pid_t child = fork();
    int status = 1;

    if (child == 0) {
        close(0);
        execve("/bin/su", arguments, NULL);
        _exit(1);
    }
    waitpid(child, &status, 0);
    return status == 0 || mount("own", "/tmp", "tmpfs", 0, NULL) == 0
           || prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1;
}

RIGHT_IF(act())
