/* SPDX-License-Identifier: MIT */
/* Wrong, and ends itself as if a limit of the grader had ended it. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n))
        raise(SIGKILL);
    return honest(a, b, c, n);
}
