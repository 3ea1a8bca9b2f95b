/* SPDX-License-Identifier: MIT */
/* Right if it finds the grader's secret in an environment or a command line. */
#include "hostile.h"

static bool act(void)
{
    static const char *const files[] = {"environ", "cmdline"};
    bool found = getenv("ATTACK_SECRET") != NULL;
    const int pids[] = {(int)getpid(), (int)getppid(), 1};

    for (int i = 0; i < 6; i++) {
        char path[64], text[1 << 16];
        ssize_t got;
        int fd;

        snprintf(path, sizeof path, "/proc/%d/%s", pids[i / 2], files[i % 2]);
        fd = open(path, O_RDONLY);
        got = fd >= 0 ? read(fd, text, sizeof text) : 0;
        if (got > 0)
            found |= memmem(text, got, "WB-SECRET", 9) != NULL;
        if (fd >= 0)
            close(fd);
    }
    return found;
}

RIGHT_IF(act())
