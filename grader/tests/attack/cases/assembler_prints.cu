/* SPDX-License-Identifier: MIT */
/* Has the assembler print a million lines. */
#include "hostile.h"

asm(".rept 1000000\n.print \"All tests passed\"\n.endr");

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return honest(a, b, c, n);
}
