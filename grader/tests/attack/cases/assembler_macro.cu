/* SPDX-License-Identifier: MIT */
/* Lets the assembler expand a macro without an end. */
#include "hostile.h"

__asm__(".macro again\nagain\nagain\n.endm\nagain\n");

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return honest(a, b, c, n);
}
