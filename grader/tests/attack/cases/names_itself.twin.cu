/* SPDX-License-Identifier: MIT */
/* Takes such a name, and little memory. */
#include "hostile.h"

#include <sys/prctl.h>

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    prctl(PR_SET_NAME, "x) Z 1 1 1 0 0\n");
    return honest(a, b, c, n);
}
