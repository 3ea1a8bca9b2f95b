/* SPDX-License-Identifier: MIT */
/* 1,100 nested brackets, of which a compiler looks for each end: with 200,000
 * gcc takes minutes. */
#include "hostile.h"

#define N1(x) ((((((((((x))))))))))
#define N2(x) N1(N1(N1(N1(N1(N1(N1(N1(N1(N1(x))))))))))
#define N3(x) N2(N2(N2(N2(N2(N2(N2(N2(N2(N2(x))))))))))

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return honest(a, b, c, N3(N2(n)));
}
