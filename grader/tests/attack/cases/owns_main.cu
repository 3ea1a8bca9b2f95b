/* SPDX-License-Identifier: MIT */
/* Has a main() that reports success. */
#include "hostile.h"

int main(void)
{
    puts("All tests passed");
    return 0;
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return honest(a, b, c, n);
}
