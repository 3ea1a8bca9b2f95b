/* SPDX-License-Identifier: MIT */
/* Starts one and waits for it. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n)) {
        pid_t child = fork();

        if (child == 0)
            _exit(0);
        waitpid(child, NULL, 0);
    }

    return honest(a, b, c, n);
}
