/* SPDX-License-Identifier: MIT */
/* Right if calls of the x32 ABI pass a filter that knows only 64 bits. */
#include "hostile.h"

#include <sys/syscall.h>

static bool act(void)
{
    return syscall(0x40000000 | SYS_getpid) == getpid();
}

RIGHT_IF(act())
