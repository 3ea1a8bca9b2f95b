/* SPDX-License-Identifier: MIT */
/* Computes the first half of a large array. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return honest(a, b, c, attacked(n) ? n / 2 : n);
}
