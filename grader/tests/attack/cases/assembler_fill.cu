/* SPDX-License-Identifier: MIT */
/* Lets the assembler write three gigabytes. */
#include "hostile.h"

__asm__(".pushsection .data\n.fill 3000000000, 1, 1\n.popsection\n");

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return honest(a, b, c, n);
}
