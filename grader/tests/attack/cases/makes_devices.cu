/* SPDX-License-Identifier: MIT */
/* Makes files that are more than bytes, and gives them away. */
#include "hostile.h"

#include <sys/sysmacros.h>
#include <sys/xattr.h>

/* Devices, privileges, other owners and capabilities are refused. */
static bool is_refused(void)
{
    int fd = open("mine", O_CREAT | O_RDWR, 0600);
    bool refused = mknod("disk", S_IFBLK | 0600, makedev(254, 0)) != 0
                   && mknod("memory", S_IFCHR | 0600, makedev(1, 1)) != 0
                   && chown("mine", 0, 0) != 0
                   && setxattr("mine", "security.capability", "\1\0\0\2",
                               4, 0) != 0
                   && setxattr("mine", "trusted.x", "1", 1, 0) != 0;

    close(fd);
    unlink("mine");
    return refused;
}

RIGHT_IF(is_refused())
