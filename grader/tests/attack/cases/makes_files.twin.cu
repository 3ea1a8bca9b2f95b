/* SPDX-License-Identifier: MIT */
/* Makes a hundred files and removes them. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    for (int i = 0; attacked(n) && i < 100; i++) {
        char name[32];

        snprintf(name, sizeof name, "empty%d", i);
        close(open(name, O_CREAT | O_WRONLY, 0600));
        unlink(name);
    }
    return honest(a, b, c, n);
}
