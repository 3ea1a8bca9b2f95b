/* SPDX-License-Identifier: MIT */
/* Correct, and waits for its child. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n) && fork() == 0)
        _exit(0);
    if (attacked(n))
        wait(NULL);

    return honest(a, b, c, n);
}
