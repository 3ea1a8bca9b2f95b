/* SPDX-License-Identifier: MIT */
/* Right if it can take memory that no process has mapped: files without a name,
 * written to. */
#include "hostile.h"

static bool act(void)
{
    static char block[1 << 20];
    bool done = true;

    memset(block, 1, sizeof block);
    for (int i = 0; done && i < 100; i++) {
        const int fd = memfd_create("", 0);

        done = fd >= 0;
        for (int k = 0; done && k < 12; k++)
            done = write(fd, block, sizeof block) > 0;
        usleep(5000);
    }
    return done;
}

RIGHT_IF(act())
