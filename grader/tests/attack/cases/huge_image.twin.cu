/* SPDX-License-Identifier: MIT */
/* A program whose variables need 32 MiB. */
#include "hostile.h"

char image[1ull << 25];

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    image[n % sizeof image] = 1;
    return honest(a, b, c, n);
}
