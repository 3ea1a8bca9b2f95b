/* SPDX-License-Identifier: MIT */
/* Reads through NULL on the host. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n))
        return (int)*(volatile float *)NULL;

    return honest(a, b, c, n);
}
