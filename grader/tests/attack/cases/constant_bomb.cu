/* SPDX-License-Identifier: MIT */
/* The compiler evaluates a constant that takes for ever. */
#include "hostile.h"

constexpr unsigned long long collatz(unsigned long long limit)
{
    unsigned long long sum = 0;

    for (unsigned long long i = 0; i < limit; i++)
        for (unsigned long long k = 0; k < limit; k++)
            sum += i * k % 7;
    return sum;
}

static constexpr unsigned long long part[] = {
    collatz(500), collatz(501), collatz(502), collatz(503), collatz(504)};
static constexpr unsigned long long all = collatz(~0ull);

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return honest(a, b, c, n) + (int)(all + part[0]) * 0;
}
