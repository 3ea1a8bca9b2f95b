/* SPDX-License-Identifier: MIT */
/* A hundred thousand nested brackets: a parser that calls itself for each has
 * no stack left. */
#include "hostile.h"

#define N1(x) ((((((((((x))))))))))
#define N2(x) N1(N1(N1(N1(N1(N1(N1(N1(N1(N1(x))))))))))
#define N3(x) N2(N2(N2(N2(N2(N2(N2(N2(N2(N2(x))))))))))
#define N4(x) N3(N3(N3(N3(N3(N3(N3(N3(N3(N3(x))))))))))
#define N5(x) N4(N4(N4(N4(N4(N4(N4(N4(N4(N4(x))))))))))

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return honest(a, b, c, N5(n));
}
