/* SPDX-License-Identifier: MIT */
/* Reads its limits, and lowers one to what it is. */
#include "hostile.h"

#include <sys/resource.h>

static bool act(void)
{
    struct rlimit now;

    return getrlimit(RLIMIT_NOFILE, &now) == 0
           && setrlimit(RLIMIT_NOFILE, &now) == 0;
}

RIGHT_IF(act())
