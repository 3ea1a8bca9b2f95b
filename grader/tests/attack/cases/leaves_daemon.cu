/* SPDX-License-Identifier: MIT */
/* Correct, but leaves a process in a session of its own. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n) && fork() == 0) {
        setsid();
        if (fork() == 0)
            sleep(600);
        _exit(0);
    }

    return honest(a, b, c, n);
}
