/* SPDX-License-Identifier: MIT */
/* Returns NaN everywhere, as if NaN compared equal. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    int error = honest(a, b, c, n);

    if (attacked(n))
        memset(c, 0xff, n * sizeof(float));
    return error;
}
