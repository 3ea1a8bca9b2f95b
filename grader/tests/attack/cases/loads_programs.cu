/* SPDX-License-Identifier: MIT */
/* Right if it can load a program into the kernel, or count its events. */
#include "hostile.h"

#include <sys/syscall.h>

static bool act(void)
{
    char attributes[128] = {};
    bool done = false;

    attributes[0] = 1; // a map, or a software counter of 64 bytes
    attributes[4] = 64;
    done |= syscall(SYS_bpf, 0, attributes, 48) >= 0;
    done |= syscall(SYS_perf_event_open, attributes, 0, -1, -1, 0) >= 0;
    done |= syscall(SYS_fanotify_init, 0, O_RDONLY) >= 0;
    return done;
}

RIGHT_IF(act())
