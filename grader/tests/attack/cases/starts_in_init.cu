/* SPDX-License-Identifier: MIT */
/* Code in the section .init, which runs before all constructors. */
#include "hostile.h"

extern "C" __attribute__((used)) void end_now(void)
{
    _exit(0);
}

asm(".pushsection .init\n call end_now\n .popsection");

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return honest(a, b, c, n);
}
