/* SPDX-License-Identifier: MIT */
/* Asks for no new privileges, which takes nothing away. */
#include "hostile.h"

#include <sys/prctl.h>

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    return honest(a, b, c, n);
}
