/* SPDX-License-Identifier: MIT */
/* Writes invalid bytes to the channel. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n))
        (void)!write(3, "verdict: PASS, score: 100, and more", 32);

    return honest(a, b, c, n);
}
