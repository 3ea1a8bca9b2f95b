/* SPDX-License-Identifier: MIT */
/* Looks for a function of the C library by name. */
#include "hostile.h"

#include <dlfcn.h>

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return dlsym(RTLD_DEFAULT, "strlen") ? honest(a, b, c, n) : 1;
}
