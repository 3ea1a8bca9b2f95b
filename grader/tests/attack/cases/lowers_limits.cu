/* SPDX-License-Identifier: MIT */
/* Wrong, and leaves the runner nothing to report with: no descriptor, no file,
 * no memory, no time. */
#include "hostile.h"

#include <sys/resource.h>

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    const struct rlimit none = {0, 0};
    int error = honest(a, b, c, n);

    if (n > 2) {
        c[n / 2] += 1;
        setrlimit(RLIMIT_NOFILE, &none);
        setrlimit(RLIMIT_FSIZE, &none);
        setrlimit(RLIMIT_AS, &none);
        setrlimit(RLIMIT_STACK, &none);
    }
    return error;
}
