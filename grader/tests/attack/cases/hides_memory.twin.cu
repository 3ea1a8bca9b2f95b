/* SPDX-License-Identifier: MIT */
/* Writes a mebibyte into a pipe's worth of memory and reads it again. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    static char block[4096];
    int ends[2];

    if (pipe(ends) == 0) {
        for (int k = 0; k < 256; k++)
            if (write(ends[1], block, sizeof block) < 0
                || read(ends[0], block, sizeof block) < 0)
                k = 256;
        close(ends[0]);
        close(ends[1]);
    }
    return honest(a, b, c, n);
}
