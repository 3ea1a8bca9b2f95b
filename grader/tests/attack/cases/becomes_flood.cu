/* SPDX-License-Identifier: MIT */
/* Becomes another program, which prints without end and keeps the channel. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n))
        execl("/usr/bin/yes", "yes", (char *)NULL);
    return honest(a, b, c, n);
}
