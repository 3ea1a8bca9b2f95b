/* SPDX-License-Identifier: MIT */
/* Takes a while. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    for (volatile long i = 0; attacked(n) && i < 100000000;)
        i = i + 1;

    return honest(a, b, c, n);
}
