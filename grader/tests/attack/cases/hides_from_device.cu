/* SPDX-License-Identifier: MIT */
/* Makes its memory unreadable for the device process in the middle of a
 * call. */
#include "hostile.h"

#include <sys/prctl.h>

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n)) {
        prctl(PR_SET_DUMPABLE, 0);
        mprotect((void *)((unsigned long)c / 4096 * 4096), 4096, PROT_NONE);
    }
    return honest(a, b, c, n);
}
