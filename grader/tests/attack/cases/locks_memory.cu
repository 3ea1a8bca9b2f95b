/* SPDX-License-Identifier: MIT */
/* Locks all memory, and shares it with nobody. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n)) {
        mlockall(MCL_CURRENT | MCL_FUTURE);
        madvise((void *)((uintptr_t)c & ~4095ul), 4096, MADV_DONTFORK);
    }
    return honest(a, b, c, n);
}
