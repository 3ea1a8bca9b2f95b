/* SPDX-License-Identifier: MIT */
/* Right if it can count events of the processor, or load a program into the
 * kernel. */
#include "hostile.h"

#include <sys/syscall.h>

static bool act(void)
{
    unsigned attributes[32] = {1 /* software */, sizeof attributes};
    char program[128] = {1};

    return syscall(SYS_perf_event_open, attributes, 0, -1, -1, 0) >= 0
           || syscall(SYS_bpf, 0 /* a map */, program, sizeof program) >= 0;
}

RIGHT_IF(act())
