/* SPDX-License-Identifier: MIT */
// Asks the environment for a variable of its own before the first call.
#include "hostile.h"

static const bool is_verbose = getenv("VECTOR_ADD_VERBOSE") != NULL;

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (is_verbose) printf("%zu elements\n", n);
    return honest(a, b, c, n);
}
