/* SPDX-License-Identifier: MIT */
/* Sends itself a signal without effect. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n))
        raise(SIGCONT);

    return honest(a, b, c, n);
}
