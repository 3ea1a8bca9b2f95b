/* SPDX-License-Identifier: MIT */
/* Right if it can handle its own page faults: a way to stop the kernel in the
 * middle of a copy. */
#include "hostile.h"

#include <sys/syscall.h>

static bool act(void)
{
    return syscall(SYS_userfaultfd, O_CLOEXEC) >= 0
           || syscall(SYS_userfaultfd, O_CLOEXEC | 1 /* user mode only */) >= 0
           || open("/dev/userfaultfd", O_RDWR) >= 0;
}

RIGHT_IF(act())
