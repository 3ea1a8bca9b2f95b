/* SPDX-License-Identifier: MIT */
/* Catches its own exception. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    try {
        throw 1;
    } catch (int) {
    }
    return honest(a, b, c, n);
}
