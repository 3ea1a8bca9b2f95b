/* SPDX-License-Identifier: MIT */
/* Unmaps everything that it has, itself at last. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n))
        munmap((void *)4096, ((size_t)1 << 47) - 8192);

    return honest(a, b, c, n);
}
