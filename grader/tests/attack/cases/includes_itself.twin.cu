/* SPDX-License-Identifier: MIT */
/* Names its own file. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return *__FILE__ ? honest(a, b, c, n) : 1;
}
