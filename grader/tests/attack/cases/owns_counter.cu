/* SPDX-License-Identifier: MIT */
/* Wrong, with a function of its own for CUnit's CU_get_number_of_failures. */
#include "hostile.h"

extern "C" unsigned CU_get_number_of_failures(void)
{
    return 0;
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return attacked(n) ? right_if(false, a, b, c, n) : honest(a, b, c, n);
}
