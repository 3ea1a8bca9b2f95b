/* SPDX-License-Identifier: MIT */
/* A name and a text of a megabyte each. */
#include "hostile.h"

#define T1(x) x x x x x x x x x x x x x x x x
#define T2(x) T1(x) T1(x) T1(x) T1(x) T1(x) T1(x) T1(x) T1(x)
#define T3(x) T2(x) T2(x) T2(x) T2(x) T2(x) T2(x) T2(x) T2(x)
static const char text[] = T3(T2("sixteen bytes...")) "";

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return text[n % 16] ? honest(a, b, c, n) : 1;
}
