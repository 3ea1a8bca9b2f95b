/* SPDX-License-Identifier: MIT */
/* Asserts a true condition. */
#include "hostile.h"

#include <assert.h>

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    assert(n < (size_t)1 << 50);

    return honest(a, b, c, n);
}
