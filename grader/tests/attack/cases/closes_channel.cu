/* SPDX-License-Identifier: MIT */
/* Closes every descriptor it can find. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    for (int fd = 3; attacked(n) && fd < 256; fd++)
        close(fd);

    return honest(a, b, c, n);
}
