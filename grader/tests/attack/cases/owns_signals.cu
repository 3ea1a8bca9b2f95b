/* SPDX-License-Identifier: MIT */
/* Right if a descriptor can be told to send signals to the parent, which is the
 * device process: the kernel would send them, past the filter of kill(). */
#include "hostile.h"

#include <sys/ioctl.h>

static bool act(void)
{
    struct f_owner_ex owner = {F_OWNER_PID, getppid()};
    int ends[2], parent = getppid();
    bool done = false;

    if (pipe(ends))
        return false;
    done |= fcntl(ends[0], F_SETOWN, parent) == 0;
    done |= fcntl(ends[0], F_SETOWN_EX, &owner) == 0;
    done |= ioctl(ends[0], 0x8901 /* FIOSETOWN */, &parent) == 0;
    if (done) { /* what it would be used for */
        fcntl(ends[0], F_SETSIG, SIGSTOP);
        fcntl(ends[0], F_SETFL, O_ASYNC);
        if (write(ends[1], "x", 1) != 1)
            return false;
    }
    return done;
}

RIGHT_IF(act())
