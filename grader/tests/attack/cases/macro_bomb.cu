/* SPDX-License-Identifier: MIT */
/* Macros that become 2^40 words. */
#include "hostile.h"

#define A1(x) x x
#define A2(x) A1(A1(A1(A1(x))))
#define A3(x) A2(A2(A2(A2(x))))
#define A4(x) A3(A3(A3(x)))

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    A4(n += 0;)
    return honest(a, b, c, n);
}
