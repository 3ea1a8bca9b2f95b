/* SPDX-License-Identifier: MIT */
/* Fills 2 GiB of host memory. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n)) {
        char *block = (char *)malloc((size_t)2048 << 20);

        for (size_t i = 0; block && i < (size_t)2048 << 20; i += 4096)
            *(volatile char *)(block + i) = 1;
        sleep(20);
        free(block);
    }

    return honest(a, b, c, n);
}
