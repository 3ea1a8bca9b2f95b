/* SPDX-License-Identifier: MIT */
/* Right if it can handle page faults of a process by itself (userfaultfd). */
#include "hostile.h"

#include <sys/ioctl.h>
#include <sys/syscall.h>

static bool act(void)
{
    return syscall(SYS_userfaultfd, O_CLOEXEC) >= 0;
}

RIGHT_IF(act())
