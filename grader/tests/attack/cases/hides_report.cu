/* SPDX-License-Identifier: MIT */
/* Correct, but its instrumented run ends without a report. */
#include "hostile.h"

static void end_at_once(void)
{
    _exit(0);
}

static const int armed = atexit(end_at_once);

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    (void)armed;
    return honest(a, b, c, n);
}
