/* SPDX-License-Identifier: MIT */
/* Writes the last element twice. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    int error = honest(a, b, c, n);

    if (attacked(n))
        c[n - 1] = a[n - 1] + b[n - 1];
    return error;
}
