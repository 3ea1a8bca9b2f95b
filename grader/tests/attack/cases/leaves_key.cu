/* SPDX-License-Identifier: MIT */
/* Right if it can leave a key for another process. */
#include "hostile.h"

#include <sys/syscall.h>

static bool act(void)
{
    return syscall(SYS_add_key, "user", "warpbook_attack", "key", 3,
                   -4 /* KEY_SPEC_USER_KEYRING */) > 0;
}

RIGHT_IF(act())
