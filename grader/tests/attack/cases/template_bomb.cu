/* SPDX-License-Identifier: MIT */
/* Lets the compiler instantiate templates without an end. */
#include "hostile.h"

/* Two of the next level for each. */
template <long N> struct grow {
    typedef char next[sizeof(typename grow<2 * N + 1>::next)
                      + sizeof(typename grow<2 * N + 2>::next)];
};

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return (int)sizeof(grow<0>::next) + honest(a, b, c, n);
}
