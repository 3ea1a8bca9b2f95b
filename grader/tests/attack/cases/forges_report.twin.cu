/* SPDX-License-Identifier: MIT */
// Prints at exit, as a program may.
#include "hostile.h"

static void say(void)
{
    fputs("good-bye\n", stderr);
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    static const int set = atexit(say);

    return set ? set : honest(a, b, c, n);
}
