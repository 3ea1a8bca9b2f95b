/* SPDX-License-Identifier: MIT */
/* Right if it can watch what others do with files that it shares with them. */
#include "hostile.h"

#include <sys/inotify.h>

static bool act(void)
{
    const int fd = inotify_init1(IN_NONBLOCK);

    return fd >= 0 && inotify_add_watch(fd, "/usr/bin", IN_OPEN) >= 0;
}

RIGHT_IF(act())
