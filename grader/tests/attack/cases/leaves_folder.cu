/* SPDX-License-Identifier: MIT */
/* Leaves its folder, so that the report is written elsewhere, and lets nobody
 * read what it makes. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    umask(0777);
    (void)!chdir("/tmp");
    (void)!mkdir("/tmp/elsewhere", 0700);
    (void)!chdir("/tmp/elsewhere");
    return honest(a, b, c, n);
}
