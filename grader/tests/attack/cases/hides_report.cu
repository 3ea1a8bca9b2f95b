/* SPDX-License-Identifier: MIT */
/* Ends its process without a report, which another process writes. */
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
