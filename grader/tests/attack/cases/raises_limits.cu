/* SPDX-License-Identifier: MIT */
/* Right if it can raise a limit of its own, or of its parent. */
#include "hostile.h"

#include <sys/resource.h>

static bool act(void)
{
    const struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
    const struct rlimit zero = {0, 0};
    bool done = false;

    done |= setrlimit(RLIMIT_FSIZE, &none) == 0;
    done |= setrlimit(RLIMIT_NPROC, &none) == 0;
    done |= setrlimit(RLIMIT_CORE, &none) == 0;
    done |= prlimit(getppid(), RLIMIT_NOFILE, &zero, NULL) == 0;
    return done;
}

RIGHT_IF(act())
