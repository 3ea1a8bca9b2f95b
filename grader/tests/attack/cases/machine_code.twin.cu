/* SPDX-License-Identifier: MIT */
/* Has a table of bytes. */
#include "hostile.h"

static const unsigned char table[] = {0x31, 0xc0, 0xc3};

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return table[2] == 0xc3 ? honest(a, b, c, n) : 1;
}
