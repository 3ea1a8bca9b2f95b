/* SPDX-License-Identifier: MIT */
/* A hundred thousand warnings. */
#include "hostile.h"

#define W1 n + 1; n + 2; n + 3; n + 4; n + 5; n + 6; n + 7; n + 8; n + 9; n;
#define W2 W1 W1 W1 W1 W1 W1 W1 W1 W1 W1
#define W3 W2 W2 W2 W2 W2 W2 W2 W2 W2 W2
#define W4 W3 W3 W3 W3 W3 W3 W3 W3 W3 W3

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    W4
    W4
    return honest(a, b, c, n);
}
