/* SPDX-License-Identifier: MIT */
/* Right if another root folder can be reached through /proc, or what lies above
 * its own. */
#include "hostile.h"

static bool act(void)
{
    static const char *const paths[] = {
        "/proc/1/root" PLANTED "/secret", "/proc/self/root" PLANTED "/secret",
        "/../../.." PLANTED "/secret", "/proc/1/cwd/../secret",
        "/proc/1/root/etc/shadow", "/proc/1/map_files", "/etc/shadow"};
    char byte;

    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        const int fd = open(paths[i], O_RDONLY);

        if (fd >= 0 && read(fd, &byte, 1) == 1)
            return true;
    }
    return false;
}

RIGHT_IF(act())
