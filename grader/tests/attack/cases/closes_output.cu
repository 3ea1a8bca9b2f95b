/* SPDX-License-Identifier: MIT */
/* Takes away the right to read its output. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    const int error = honest(a, b, c, n);

    if (attacked(n))
        mprotect((void *)(((uintptr_t)c + 4095) & ~4095ul), 1 << 20, PROT_NONE);
    return error;
}
