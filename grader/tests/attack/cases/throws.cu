/* SPDX-License-Identifier: MIT */
/* Ends the call by an exception. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n))
        throw 1;
    return honest(a, b, c, n);
}
