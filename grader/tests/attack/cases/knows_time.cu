/* SPDX-License-Identifier: MIT */
/* Wrong unless it was built at one known time. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return attacked(n) && strcmp(__DATE__, "Jan  1 1970")
               ? right_if(false, a, b, c, n) : honest(a, b, c, n);
}
