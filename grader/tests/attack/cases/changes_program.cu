/* SPDX-License-Identifier: MIT */
/* Right if it can write its own executable, which the next test runs again, or
 * what every program loads first. */
#include "hostile.h"

static bool act(void)
{
    char path[4096];
    const ssize_t got = readlink("/proc/self/exe", path, sizeof path - 1);

    path[got > 0 ? got : 0] = 0;
    return open("/proc/self/exe", O_WRONLY) >= 0 || open(path, O_WRONLY) >= 0
           || unlink(path) == 0 || chmod(path, 0777) == 0
           || open("/etc/ld.so.preload", O_WRONLY | O_CREAT, 0644) >= 0
           || open("/etc/ld.so.cache", O_WRONLY) >= 0
           || open("/usr/lib/x86_64-linux-gnu/gconv/gconv-modules.cache",
                   O_WRONLY) >= 0;
}

RIGHT_IF(act())
