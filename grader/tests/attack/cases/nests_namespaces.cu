/* SPDX-License-Identifier: MIT */
/* Right if it can enter a user namespace of its own. */
#include "hostile.h"

#include <sched.h>

static bool act(void)
{
    return unshare(CLONE_NEWUSER) == 0;
}

RIGHT_IF(act())
