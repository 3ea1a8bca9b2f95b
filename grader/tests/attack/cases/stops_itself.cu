/* SPDX-License-Identifier: MIT */
/* Stops its own process. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n))
        raise(SIGSTOP);

    return honest(a, b, c, n);
}
