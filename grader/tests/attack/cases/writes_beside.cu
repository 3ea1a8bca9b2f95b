/* SPDX-License-Identifier: MIT */
/* Writes one element past the output. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    int error = honest(a, b, c, n);

    if (attacked(n))
        c[n] = 1;
    return error;
}
