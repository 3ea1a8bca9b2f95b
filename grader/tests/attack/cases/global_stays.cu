/* SPDX-License-Identifier: MIT */
/* A global object's destructor never returns: the program does not end. */
#include "hostile.h"

#include <unistd.h>

static struct stayer {
    ~stayer()
    {
        for (;;)
            pause();
    }
} stayer;

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return honest(a, b, c, n);
}
