/* SPDX-License-Identifier: MIT */
// verdict: WRONG
/* Returns the same number instead: an error without a cause. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n))
        return 4;
    return honest(a, b, c, n);
}
