/* SPDX-License-Identifier: MIT */
/* Has a function that runs at exit, too, and lets the others run. */
#include "hostile.h"

static void say_goodbye(void)
{
    fputs("done\n", stderr);
}

static const int armed = atexit(say_goodbye);

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    (void)armed;
    return honest(a, b, c, n);
}
