/* SPDX-License-Identifier: MIT */
/* Ends while the dynamic linker resolves a function. */
#include "hostile.h"

static int zero(void)
{
    return 0;
}

extern "C" int (*choose(void))(void)
{
    _exit(0);
    return zero;
}

extern "C" int resolved(void) __attribute__((ifunc("choose")));

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return n == 0 ? 0 : honest(a, b, c, n) + resolved();
}
