/* SPDX-License-Identifier: MIT */
/* Takes memory from a pool of its own. */
#include "hostile.h"

static char pool[1 << 16];

static char *take(size_t bytes)
{
    static size_t used;

    used = (used + bytes) % sizeof pool;
    return pool + used;
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    char *const one = take(1);

    *one = 1;
    return honest(a, b, c, n);
}
