/* SPDX-License-Identifier: MIT */
/* Writes a file of 1 MiB. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n)) {
        static char block[1 << 20];
        FILE *file = fopen("junk", "wb");

        for (int i = 0; file && i < 1; i++)
            fwrite(block, 1, sizeof block, file);
        fclose(file);
    }

    return honest(a, b, c, n);
}
