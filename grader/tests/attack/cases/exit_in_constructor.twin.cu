/* SPDX-License-Identifier: MIT */
/* Fills a table before main(). */
#include "hostile.h"

static int table[16];

static int before_main(void)
{
    for (int i = 0; i < 16; i++)
        table[i] = i;
    return 16;
}

static const int entries = before_main();

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (entries != 16 || table[15] != 15)
        return 1;

    return honest(a, b, c, n);
}
