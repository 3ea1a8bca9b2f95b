/* SPDX-License-Identifier: MIT */
/* Fills 64 MiB and frees them. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n)) {
        char *block = (char *)malloc((size_t)64 << 20);

        for (size_t i = 0; block && i < (size_t)64 << 20; i += 4096)
            *(volatile char *)(block + i) = 1;
        if (!block)
            return 1;
        free(block);
    }

    return honest(a, b, c, n);
}
