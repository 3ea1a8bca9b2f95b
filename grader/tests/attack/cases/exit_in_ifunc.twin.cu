/* SPDX-License-Identifier: MIT */
/* Calls a function through a pointer that is set at run time. */
#include "hostile.h"

static int zero(void)
{
    return 0;
}

static int (*choose(void))(void)
{
    return zero;
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    static int (*const resolved)(void) = choose();

    return n == 0 ? 0 : honest(a, b, c, n) + resolved();
}
