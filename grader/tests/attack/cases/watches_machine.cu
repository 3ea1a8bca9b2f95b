/* SPDX-License-Identifier: MIT */
/* Right if it can watch the accesses to all files, or read the kernel's log. */
#include "hostile.h"

#include <sys/syscall.h>

static bool act(void)
{
    char line[256];

    return syscall(SYS_fanotify_init, 0, O_RDONLY) >= 0
           || syscall(SYS_syslog, 3, line, sizeof line) > 0
           || open("/dev/kmsg", O_RDONLY) >= 0
           || open("/proc/kcore", O_RDONLY) >= 0;
}

RIGHT_IF(act())
