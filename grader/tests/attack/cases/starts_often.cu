/* SPDX-License-Identifier: MIT */
/* Starts children that end at once, one after the other, for as long as it may:
 * never many at a time. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    while (attacked(n)) {
        const pid_t child = vfork();

        if (child == 0)
            _exit(0);
        if (child > 0)
            waitpid(child, NULL, 0);
    }
    return honest(a, b, c, n);
}
