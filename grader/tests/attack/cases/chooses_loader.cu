/* SPDX-License-Identifier: MIT */
/* Names a program interpreter of its own. */
#include "hostile.h"

__attribute__((section(".interp"), used)) static const char loader[] =
    "/tmp/loader";

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return honest(a, b, c, n);
}
