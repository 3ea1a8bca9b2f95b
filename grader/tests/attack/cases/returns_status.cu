/* SPDX-License-Identifier: MIT */
/* Returns the status by which the runner says that it has no memory: an error
 * without a cause. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n))
        return 4;
    return honest(a, b, c, n);
}
