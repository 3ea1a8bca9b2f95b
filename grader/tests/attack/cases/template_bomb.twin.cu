/* SPDX-License-Identifier: MIT */
/* Lets the compiler instantiate a template a hundred times. */
#include "hostile.h"

/* The sum of zeros up to N. */
template <int N> struct grow {
    static const int value = grow<N - 1>::value;
};
template <> struct grow<0> {
    static const int value = 0;
};

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return grow<100>::value + honest(a, b, c, n);
}
