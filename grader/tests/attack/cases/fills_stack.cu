/* SPDX-License-Identifier: MIT */
/* Recurses until its stack is full, in threads with small stacks, too. */
#include "hostile.h"

static volatile int depth;

static int sink(int n)
{
    volatile char page[4096];

    page[0] = (char)n;
    depth++;
    return sink(n + 1) + page[0];
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n))
        return sink(0);
    return honest(a, b, c, n);
}
