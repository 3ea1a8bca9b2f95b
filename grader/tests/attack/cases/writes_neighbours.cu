/* SPDX-License-Identifier: MIT */
/* Right if it can write the memory of a process that is not its own. */
#include "hostile.h"

#include <sys/uio.h>

static bool act(void)
{
    char byte = 0;
    bool done = false;

    for (pid_t pid = 1; pid < 300; pid++) {
        struct iovec own = {&byte, 1}, other = {(void *)honest_kernel, 1};

        if (pid != getpid())
            done |= process_vm_readv(pid, &own, 1, &other, 1, 0) == 1;
        other.iov_base = &byte;
        if (pid != getpid())
            done |= process_vm_writev(pid, &own, 1, &other, 1, 0) == 1;
    }
    return done;
}

RIGHT_IF(act())
