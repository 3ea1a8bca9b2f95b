/* SPDX-License-Identifier: MIT */
/* Prints three megabytes. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    for (int i = 0; attacked(n) && i < 200000; i++)
        puts("All is well.");

    return honest(a, b, c, n);
}
