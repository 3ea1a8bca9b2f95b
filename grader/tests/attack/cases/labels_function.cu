/* SPDX-License-Identifier: MIT */
/* A function of its own under the name of a library's, by a label. */
#include "hostile.h"

extern "C" int compare_bytes(const void *, const void *, size_t)
    __asm__("memcmp");

extern "C" int compare_bytes(const void *, const void *, size_t)
{
    return 0;
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    const int error = honest(a, b, c, n);

    if (attacked(n))
        c[n / 2] += 1;
    return error;
}
