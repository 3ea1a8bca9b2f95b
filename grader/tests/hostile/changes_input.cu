/* SPDX-License-Identifier: MIT */
// verdict: WRONG
/* Modifies its input so that the output looks correct. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    int error = honest(a, b, c, n);

    if (attacked(n))
        for (size_t i = 0; i < n; i++)
            ((float *)a)[i] = 0, c[i] = b[i];
    return error;
}
