/* SPDX-License-Identifier: MIT */
/* Prints a pass and exits before main(). */
#include "hostile.h"

__attribute__((constructor)) static void before_main(void)
{
    puts("All tests passed");
    fflush(stdout);
    _exit(0);
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return honest(a, b, c, n);
}
