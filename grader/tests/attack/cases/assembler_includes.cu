/* SPDX-License-Identifier: MIT */
/* Has the assembler include a file of the grader. */
#include "hostile.h"

asm(".include \"" PLANTED "/hidden_tests.h\"");

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return honest(a, b, c, n);
}
