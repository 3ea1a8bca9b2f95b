/* SPDX-License-Identifier: MIT */
/* Handles a signal that is not sent. */
#include "hostile.h"

static void caught(int) {}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    signal(SIGUSR1, caught);

    return honest(a, b, c, n);
}
