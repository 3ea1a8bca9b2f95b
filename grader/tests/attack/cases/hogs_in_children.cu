/* SPDX-License-Identifier: MIT */
/* Right if each of its children has less memory than it may, and all together
 * have more. */
#include "hostile.h"

static bool take(void)
{
    const size_t bytes = 192 << 20;
    volatile char *part = (volatile char *)malloc(bytes);

    for (size_t i = 0; part && i < bytes; i += 4096)
        part[i] = 1;
    sleep(2); // all have it by then
    return part;
}

static bool act(void)
{
    int taken = 0, status;

    for (int i = 0; i < 8; i++)
        if (fork() == 0)
            _exit(!take());
    while (wait(&status) > 0)
        taken += status == 0;
    return taken == 8;
}

RIGHT_IF(act())
