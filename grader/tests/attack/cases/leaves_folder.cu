/* SPDX-License-Identifier: MIT */
/* Leaves its folder, and lets nobody read what it makes: where host code and
 * the report's writer were one process, the report was then elsewhere. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    umask(0777);
    (void)!chdir("/tmp");
    (void)!mkdir("/tmp/elsewhere", 0700);
    (void)!chdir("/tmp/elsewhere");
    return honest(a, b, c, n);
}
