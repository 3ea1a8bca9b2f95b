/* SPDX-License-Identifier: MIT */
/* Correct, with a working memcmp of its own. */
#include "hostile.h"

extern "C" int memcmp(const void *x, const void *y, size_t n) noexcept
{
    const unsigned char *p = (const unsigned char *)x;
    const unsigned char *q = (const unsigned char *)y;

    for (; n > 0; n--, p++, q++)
        if (*p != *q)
            return *p < *q ? -1 : 1;
    return 0;
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return honest(a, b, c, n);
}
