// verdict: WRONG
// expect: to the device; the inputs have 8
/* SPDX-License-Identifier: MIT */
// An empty kernel is launched, and the host computes the sum.
#include "check.h"
#include "vector_add.h"

/* A launch for the grader to count. */
__global__ void nothing() {}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (n > 0) nothing<<<1, 1>>>();
    for (size_t i = 0; i < n; i++) c[i] = a[i] + b[i];
    return cudaDeviceSynchronize();
}
