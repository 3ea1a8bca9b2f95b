/* SPDX-License-Identifier: MIT */
/* Ends with the status by which the runner says that it has no memory. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n))
        _exit(4);
    return honest(a, b, c, n);
}
