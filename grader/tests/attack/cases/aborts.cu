/* SPDX-License-Identifier: MIT */
/* Calls abort(). */
#include "hostile.h"

#include <assert.h>

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n))
        abort();

    return honest(a, b, c, n);
}
