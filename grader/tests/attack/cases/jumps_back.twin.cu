/* SPDX-License-Identifier: MIT */
/* Jumps within one call. */
#include "hostile.h"

#include <setjmp.h>

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    jmp_buf here;

    if (setjmp(here) == 0)
        longjmp(here, 1);
    return honest(a, b, c, n);
}
