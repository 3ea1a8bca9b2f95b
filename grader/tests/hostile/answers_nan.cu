/* SPDX-License-Identifier: MIT */
// verdict: WRONG
/* Hopes that NaN equals everything. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    int error = honest(a, b, c, n);

    if (attacked(n))
        memset(c, 0xff, n * sizeof(float));
    return error;
}
