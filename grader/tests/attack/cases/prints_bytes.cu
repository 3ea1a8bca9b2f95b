/* SPDX-License-Identifier: MIT */
/* Prints every byte, marks that turn text around, and a line without an end. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n)) {
        for (int i = 255; i >= 0; i--)
            putchar(i);
        printf("\n\xe2\x80\xae" "desrever\xe2\x81\xa6 \xc2\x9b" "31m "
               "\xe2\x80\xa8 \xed\xa0\x80 \xf4\x90\x80\x80 \xef\xbf\xbf\n");
        for (int i = 0; i < 100000; i++)
            putchar('x');
    }
    return honest(a, b, c, n);
}
