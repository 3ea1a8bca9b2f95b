/* SPDX-License-Identifier: MIT */
/* Correct, with a clock that stands still. */
#include "hostile.h"

#include <time.h>

extern "C" int clock_gettime(clockid_t, struct timespec *now) noexcept
{
    *now = {1, 0};
    return 0;
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return honest(a, b, c, n);
}
