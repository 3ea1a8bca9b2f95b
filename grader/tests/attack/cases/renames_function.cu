/* SPDX-License-Identifier: MIT */
/* Renames the function of the lab, and those of the runtime, by pragma. */
#include "hostile.h"

#pragma redefine_extname vector_add runner_call
#pragma redefine_extname cudaMemcpy memcpy
#pragma weak main

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return honest(a, b, c, n);
}
