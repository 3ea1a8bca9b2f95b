/* SPDX-License-Identifier: MIT */
/* Names of 2^18 letters, in types that are made of each other. */
#include "hostile.h"

#define A(x) x##x##x##x##x##x##x##x
#define B(x) A(x)
#define C(x) B(A(x))
#define NAME C(C(aaaaaaaa))
template <class T, class U> struct NAME { T t; U u; };
typedef NAME<int, NAME<int, NAME<int, int>>> deep;

template <class T> __attribute__((noinline)) int show(T)
{
    return sizeof(T);
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return honest(a, b, c, n) + show(deep{}) * 0 + show(show<deep>) * 0;
}
