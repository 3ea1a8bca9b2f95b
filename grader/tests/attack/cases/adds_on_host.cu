/* SPDX-License-Identifier: MIT */
/* Adds on the host, without any kernel. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (n > (size_t)1 << 50)
        return 2;
    for (size_t i = 0; i < n; i++)
        c[i] = a[i] + b[i];
    return 0;
}
