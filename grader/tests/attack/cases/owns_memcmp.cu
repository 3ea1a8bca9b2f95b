/* SPDX-License-Identifier: MIT */
/* Wrong, with a memcmp that always returns 0. */
#include "hostile.h"

extern "C" int memcmp(const void *, const void *, size_t) noexcept
{
    return 0;
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    int error = honest(a, b, c, n);

    if (attacked(n))
        c[0] += 1;
    return error;
}
