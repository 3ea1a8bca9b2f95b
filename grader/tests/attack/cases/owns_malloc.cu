/* SPDX-License-Identifier: MIT */
/* Wrong, with malloc() and free() of its own. */
#include "hostile.h"

static char pool[256 << 20];
static size_t used;

extern "C" void *malloc(size_t bytes) noexcept
{
    const size_t start = __atomic_fetch_add(&used, (bytes + 79) / 64 * 64,
                                            __ATOMIC_RELAXED);

    return start + bytes < sizeof pool ? pool + start : NULL;
}

extern "C" void free(void *) noexcept {}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return attacked(n) ? right_if(false, a, b, c, n) : honest(a, b, c, n);
}
