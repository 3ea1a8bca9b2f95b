/* SPDX-License-Identifier: MIT */
/* Lets the assembler repeat a line two thousand million times. */
#include "hostile.h"

__asm__(".pushsection .data\n.rept 2000000000\n"
        ".quad 1\n.endr\n.popsection\n");

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return honest(a, b, c, n);
}
