/* SPDX-License-Identifier: MIT */
/* Right if it can tell the kernel to end others when memory runs out. */
#include "hostile.h"

static bool act(void)
{
    const int fd = open("/proc/self/oom_score_adj", O_WRONLY);

    return fd >= 0 && write(fd, "-999", 4) == 4;
}

RIGHT_IF(act())
