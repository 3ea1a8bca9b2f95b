/* SPDX-License-Identifier: MIT */
/* Reads its input twice. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    int error = honest(a, b, c, n);

    return error ? error : honest(a, b, c, n);
}
