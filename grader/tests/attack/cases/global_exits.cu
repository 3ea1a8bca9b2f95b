/* SPDX-License-Identifier: MIT */
/* A global object's constructor, which needs no attribute, ends the process
 * before main(). */
#include "hostile.h"

#include <unistd.h>

static struct leaver {
    leaver() { _exit(0); }
} leaver;

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return honest(a, b, c, n);
}
