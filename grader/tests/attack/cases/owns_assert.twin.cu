/* SPDX-License-Identifier: MIT */
/* Correct, with functions whose names begin like those of CUnit. */
#include "hostile.h"

static size_t CU_count_elements(size_t n)
{
    return n;
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return CU_count_elements(n) == n ? honest(a, b, c, n) : 1;
}
