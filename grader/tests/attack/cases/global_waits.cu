/* SPDX-License-Identifier: MIT */
/* A global object's constructor never returns. */
#include "hostile.h"

#include <unistd.h>

static struct waiter {
    waiter()
    {
        for (;;)
            pause();
    }
} waiter;

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return honest(a, b, c, n);
}
