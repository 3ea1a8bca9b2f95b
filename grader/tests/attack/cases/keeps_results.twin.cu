/* SPDX-License-Identifier: MIT */
/* Keeps the size of the last call. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    static size_t last;

    last = n;
    return last == n ? honest(a, b, c, n) : 1;
}
