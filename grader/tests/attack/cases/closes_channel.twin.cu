/* SPDX-License-Identifier: MIT */
/* Closes a descriptor that it opened. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n))
        close(dup(2));

    return honest(a, b, c, n);
}
