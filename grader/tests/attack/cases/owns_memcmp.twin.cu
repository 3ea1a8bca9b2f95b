/* SPDX-License-Identifier: MIT */
/* Correct, with a function of that name in a scope of its own. */
#include "hostile.h"

namespace own
{
static int memcmp(const void *x, const void *y, size_t n)
{
    return ::memcmp(x, y, n);
}
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return own::memcmp(&n, &n, sizeof n) ? 1 : honest(a, b, c, n);
}
