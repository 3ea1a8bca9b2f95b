/* SPDX-License-Identifier: MIT */
/* One line without an end, just below what may be printed. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n))
        for (int i = 0; i < 1000000; i++)
            putchar(i % 7 ? '\t' : '<');
    fflush(stdout);

    return honest(a, b, c, n);
}
