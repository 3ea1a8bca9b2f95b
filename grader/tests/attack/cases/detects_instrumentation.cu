/* SPDX-License-Identifier: MIT */
// Uses the device when it is instrumented, else computes on the host.  No line
// has the name that it asks for.
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
#ifdef SOFT\
GPU_WATCHED
    return honest(a, b, c, n);
#else
    for (size_t i = 0; i < n; i++)
        c[i] = a[i] + b[i];
    return 0;
#endif
}
