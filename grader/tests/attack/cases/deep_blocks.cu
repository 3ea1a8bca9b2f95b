/* SPDX-License-Identifier: MIT */
/* The same with blocks, in a kernel. */
#include "hostile.h"

#define B1(x) {{{{{{{{{{x}}}}}}}}}}
#define B2(x) B1(B1(B1(B1(B1(B1(B1(B1(B1(B1(x))))))))))
#define B3(x) B2(B2(B2(B2(B2(B2(B2(B2(B2(B2(x))))))))))
#define B4(x) B3(B3(B3(B3(B3(B3(B3(B3(B3(B3(x))))))))))
#define B5(x) B4(B4(B4(B4(B4(B4(B4(B4(B4(B4(x))))))))))

/* One store inside 100,000 blocks of braces. */
__global__ void deep(float *c)
{
    B5(*c = 0;)
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return honest(a, b, c, n);
}
