// verdict: WRONG
// expect: of 8 that are to be worked on there
// A kernel that does nothing is launched, and the host adds.
#include "check.h"
#include "vector_add.h"

__global__ void nothing() {}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (n > 0) nothing<<<1, 1>>>();
    for (size_t i = 0; i < n; i++) c[i] = a[i] + b[i];
    return cudaDeviceSynchronize();
}
