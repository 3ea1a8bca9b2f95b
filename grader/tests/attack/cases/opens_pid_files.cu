/* SPDX-License-Identifier: MIT */
/* Right if a descriptor of a process gives it another one (pidfd). */
#include "hostile.h"

#include <sys/syscall.h>

static bool act(void)
{
    bool done = false;

    for (pid_t pid = 1; pid < 300; pid++) {
        const int process = pid == getpid()
                            ? -1 : (int)syscall(SYS_pidfd_open, pid, 0);

        for (int fd = 0; fd < 10 && process >= 0; fd++)
            done |= syscall(SYS_pidfd_getfd, process, fd, 0) >= 0;
        close(process);
    }
    return done;
}

RIGHT_IF(act())
