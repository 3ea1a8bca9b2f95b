/* SPDX-License-Identifier: MIT */
/* Right if it gets a descriptor of the first process or of its parent, or reads
 * their memory. */
#include "hostile.h"

#include <sys/syscall.h>
#include <sys/uio.h>

static bool reaches(pid_t pid)
{
    char byte;
    struct iovec own = {&byte, 1}, other = {(void *)0x400000, 1};
    const int process = (int)syscall(434 /* pidfd_open */, pid, 0);

    for (int fd = 0; fd < 64 && process >= 0; fd++)
        if (syscall(438 /* pidfd_getfd */, process, fd, 0) >= 0)
            return true;
    return process_vm_readv(pid, &own, 1, &other, 1, 0) == 1
           || syscall(SYS_kcmp, pid, getpid(), 0, 0, 0) >= 0;
}

static bool act(void)
{
    return reaches(1) || reaches(getppid());
}

RIGHT_IF(act())
