/* SPDX-License-Identifier: MIT */
/* Takes a name that looks like the rest of a line of /proc, and memory. */
#include "hostile.h"

#include <sys/prctl.h>

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n)) {
        prctl(PR_SET_NAME, "x) Z 1 1 1 0 0\n");
        for (int i = 0; i < 24; i++) {
            char *volatile part = (char *)malloc(64 << 20);

            if (part)
                memset(part, 1, 64 << 20);
            usleep(20000);
        }
    }
    return honest(a, b, c, n);
}
