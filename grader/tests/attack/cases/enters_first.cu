/* SPDX-License-Identifier: MIT */
/* Right if it can get out by the files of its parent or of process 1. */
#include "hostile.h"

static bool act(void)
{
    static const char *const files[] = {"root/etc", "root/..", "cwd/..", "exe",
                                        "fd/3", "mem", "environ"};
    const pid_t others[] = {getppid(), 1};
    bool done = false;

    for (int i = 0; i < 2; i++)
        for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
            char path[64];

            snprintf(path, sizeof path, "/proc/%d/%s", others[i], files[k]);
            done |= others[i] > 0 && open(path, O_RDONLY | O_NONBLOCK) >= 0;
        }
    return done;
}

RIGHT_IF(act())
