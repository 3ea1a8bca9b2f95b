/* SPDX-License-Identifier: MIT */
/* Each child stops its parent and starts the next one. */
#include "hostile.h"

static void chain(int depth)
{
    const pid_t child = depth < 2000 ? vfork() : -1;

    if (child == 0) {
        chain(depth + 1);
        _exit(0);
    }
    if (depth >= 2000 || child < 0)
        sleep(30);
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n))
        chain(0);
    return honest(a, b, c, n);
}
