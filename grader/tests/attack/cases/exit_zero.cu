/* SPDX-License-Identifier: MIT */
/* Calls exit(0) during a call. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n))
        exit(0);

    return honest(a, b, c, n);
}
