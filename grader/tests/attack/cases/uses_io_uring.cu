/* SPDX-License-Identifier: MIT */
/* Right if it can make a ring of io_uring, whose calls no filter sees. */
#include "hostile.h"

#include <sys/syscall.h>

static bool act(void)
{
    char parameters[120] = {};

    return syscall(SYS_io_uring_setup, 4, parameters) >= 0;
}

RIGHT_IF(act())
