/* SPDX-License-Identifier: MIT */
/* Right if it can run before all others of the machine. */
#include "hostile.h"

#include <sched.h>
#include <sys/resource.h>

static bool act(void)
{
    struct sched_param first = {};

    first.sched_priority = 1;
    return sched_setscheduler(0, SCHED_FIFO, &first) == 0
           || sched_setscheduler(0, SCHED_RR, &first) == 0
           || setpriority(PRIO_PROCESS, 0, -5) == 0;
}

RIGHT_IF(act())
