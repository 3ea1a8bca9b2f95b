/* SPDX-License-Identifier: MIT */
/* Puts a text into the program by the assembler. */
#include "hostile.h"

__asm__(".pushsection .rodata\nown_text:\n.asciz \"own\"\n.popsection\n");
extern "C" const char own_text[];

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return strcmp(own_text, "own") ? 1 : honest(a, b, c, n);
}
