/* SPDX-License-Identifier: MIT */
/* Puts characters into the terminal of the grader. */
#include "hostile.h"

#include <sys/ioctl.h>

/* By each descriptor it has, and by the terminal of its session. */
static bool is_refused(void)
{
    char typed = ' ';

    for (int fd = 0; fd < 64; fd++)
        if (ioctl(fd, TIOCSTI, &typed) == 0)
            return false;
    return open("/dev/tty", O_RDWR) < 0 && open("/dev/console", O_RDWR) < 0
           && open("/dev/pts/ptmx", O_RDWR) < 0;
}

RIGHT_IF(is_refused())
