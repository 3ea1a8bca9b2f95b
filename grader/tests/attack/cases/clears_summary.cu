/* SPDX-License-Identifier: MIT */
/* Wrong, and clears the counters of CUnit if it finds them. */
#include "hostile.h"

#include <dlfcn.h>

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    typedef unsigned *(*summary)(void);
    const summary find = (summary)dlsym(RTLD_DEFAULT, "CU_get_run_summary");

    if (find)
        memset(find(), 0, 64);
    return attacked(n) ? right_if(find, a, b, c, n) : honest(a, b, c, n);
}
