/* SPDX-License-Identifier: MIT */
/* Jumps to where an earlier call was, over the rest of its own. */
#include "hostile.h"

#include <setjmp.h>

static jmp_buf earlier;

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    static bool saved;

    if (attacked(n) && saved)
        longjmp(earlier, 1);
    if (!saved && setjmp(earlier) == 0)
        saved = true;
    return honest(a, b, c, n);
}
