/* SPDX-License-Identifier: MIT */
/* Right if it can change when and where its parent, the device process,
 * runs. */
#include "hostile.h"

#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>

static bool act(void)
{
    const struct sched_param none = {0};
    const unsigned long one = 1;
    bool done = false;

    done |= syscall(SYS_sched_setaffinity, getppid(), sizeof one, &one) >= 0;
    done |= sched_setscheduler(getppid(), SCHED_IDLE, &none) == 0;
    done |= setpriority(PRIO_PROCESS, getppid(), 19) == 0;
    done |= syscall(SYS_ioprio_set, 1, getppid(), 3 << 13) == 0;
    done |= setpgid(getppid(), getppid()) == 0;
    return done;
}

RIGHT_IF(act())
