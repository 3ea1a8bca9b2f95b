/* SPDX-License-Identifier: MIT */
/* Starts processes, a hundred at most. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    for (int i = 0; attacked(n) && i < 100; i++)
        if (fork() == 0) {
            sleep(20);
            _exit(0);
        }
    if (attacked(n))
        sleep(20);

    return honest(a, b, c, n);
}
