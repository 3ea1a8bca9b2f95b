/* SPDX-License-Identifier: MIT */
/* Reads the first element on the host. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (n > 0 && a[0] == 0.125f)
        puts("an eighth");

    return honest(a, b, c, n);
}
