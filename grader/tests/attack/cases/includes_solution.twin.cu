/* SPDX-License-Identifier: MIT */
// Says where the solutions/ lie, and includes what everybody may.
#include "hostile.h"
#include "check.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return honest(a, b, c, n);
}
