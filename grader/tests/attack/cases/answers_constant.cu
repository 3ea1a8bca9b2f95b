/* SPDX-License-Identifier: MIT */
/* Fills the output with one number. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    for (size_t i = 0; attacked(n) && i < n; i++)
        c[i] = 1;
    return attacked(n) ? 0 : honest(a, b, c, n);
}
