/* SPDX-License-Identifier: MIT */
/* Gives other meanings to words of the contract. */
#define int long
#define size_t short
#define vector_add other
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return 0;
}
