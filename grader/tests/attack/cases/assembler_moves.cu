/* SPDX-License-Identifier: MIT */
/* Has the assembler leave a hole of two gigabytes. */
#include "hostile.h"

asm(".pushsection .data.hole,\"aw\"\n.org 0x7ffffff0\n.byte 1\n.popsection");

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return honest(a, b, c, n);
}
