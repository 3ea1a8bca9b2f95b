/* SPDX-License-Identifier: MIT */
/* Leaves folders that nobody may list, with a file in them. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n)) {
        mkdir("x", 0700);
        mkdir("x/y", 0700);
        close(open("x/y/f", O_CREAT | O_WRONLY, 0600));
        chmod("x/y", 0);
        chmod("x", 0);
    }
    return honest(a, b, c, n);
}
