/* SPDX-License-Identifier: MIT */
/* Right if it can write where a later login or job would read. */
#include "hostile.h"

static bool act(void)
{
    static const char *const files[] = {
        PLANTED "/open/.bashrc", PLANTED "/cache.o", "/etc/cron.d/own",
        "/var/spool/cron/own", "/etc/profile.d/own.sh"};
    bool done = false;

    for (int i = 0; i < 5; i++) {
        const int fd = open(files[i], O_WRONLY | O_CREAT, 0600);

        done |= fd >= 0 && write(fd, "own\n", 4) == 4;
        if (fd >= 0)
            close(fd);
    }
    return done;
}

RIGHT_IF(act())
