/* SPDX-License-Identifier: MIT */
/* Takes two gigabytes while it prints, a bit at a time. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    for (int i = 0; attacked(n) && i < 2048; i++) {
        char *block = (char *)malloc(1 << 20);

        if (block)
            memset(block, 1, 1 << 20);
        printf(".");
        fflush(stdout);
    }
    return honest(a, b, c, n);
}
