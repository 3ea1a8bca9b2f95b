/* SPDX-License-Identifier: MIT */
/* Right if it can lock a file that other boxes have, too: a bit that
 * crosses. */
#include "hostile.h"

#include <sys/file.h>

static bool act(void)
{
    const int fd = open("/usr/bin/env", O_RDONLY);
    struct flock lock = {};

    lock.l_type = F_RDLCK;
    return fd >= 0
           && (flock(fd, LOCK_EX | LOCK_NB) == 0
               || fcntl(fd, F_SETLK, &lock) == 0
               || fcntl(fd, F_OFD_SETLK, &lock) == 0
               || fcntl(fd, F_SETLEASE, F_RDLCK) == 0);
}

RIGHT_IF(act())
