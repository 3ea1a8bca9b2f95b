/* SPDX-License-Identifier: MIT */
/* Asks for the limit of core files. */
#include "hostile.h"

#include <sys/resource.h>

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    struct rlimit limit;

    return getrlimit(RLIMIT_CORE, &limit) ? 1 : honest(a, b, c, n);
}
