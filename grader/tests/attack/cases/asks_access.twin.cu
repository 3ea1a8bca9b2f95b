/* SPDX-License-Identifier: MIT */
/* Handles a signal that it sends to itself. */
#include "hostile.h"

static volatile sig_atomic_t seen;

static void note(int)
{
    seen = 1;
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    signal(SIGURG, note);
    kill(getpid(), SIGURG);
    return seen ? honest(a, b, c, n) : 1;
}
