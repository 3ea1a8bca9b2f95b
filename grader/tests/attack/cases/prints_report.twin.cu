/* SPDX-License-Identifier: MIT */
/* Correct, and prints failures. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    puts("not ok 1\nFAILED\n{\"verdict\": \"WRONG\"}");

    return honest(a, b, c, n);
}
