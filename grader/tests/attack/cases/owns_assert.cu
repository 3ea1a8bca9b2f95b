/* SPDX-License-Identifier: MIT */
/* Wrong, with a function of its own for CUnit's CU_assertImplementation. */
#include "hostile.h"

extern "C" int CU_assertImplementation(int, unsigned, const char *,
                                       const char *, const char *, int)
{
    return 1;
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return attacked(n) ? right_if(false, a, b, c, n) : honest(a, b, c, n);
}
