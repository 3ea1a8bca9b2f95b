/* SPDX-License-Identifier: MIT */
/* Ends by a signal with 256 MiB to write into a core file. */
#include "hostile.h"

#include <sys/resource.h>

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    static char image[256 << 20];

    for (size_t i = 0; attacked(n) && i < sizeof image; i += 4096)
        image[i] = 1;
    if (attacked(n)) {
        const struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};

        setrlimit(RLIMIT_CORE, &all);
        abort();
    }
    return honest(a, b, c, n);
}
