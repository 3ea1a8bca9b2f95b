/* SPDX-License-Identifier: MIT */
/* A global object with a constructor and a destructor. */
#include "hostile.h"

static struct counter {
    int calls;
    counter() : calls(1) {}
    ~counter() { calls = 0; }
} counter;

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    counter.calls++;
    return honest(a, b, c, n);
}
