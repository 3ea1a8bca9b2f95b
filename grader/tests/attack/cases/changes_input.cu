/* SPDX-License-Identifier: MIT */
/* Modifies its input; the output is correct. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    int error = honest(a, b, c, n);

    if (attacked(n))
        for (size_t i = 0; i < n; i++)
            ((float *)a)[i] = 0;
    return error;
}
