/* SPDX-License-Identifier: MIT */
/* A program whose variables need 32 TiB: the file is small, and cannot be
 * loaded. */
#include "hostile.h"

char image[1ull << 45];

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    image[n] = 1;
    return honest(a, b, c, n);
}
