/* SPDX-License-Identifier: MIT */
/* The programming guide's loop: any operation on double by atomicCAS. */
#include "check.h"

__device__ double atomic_max(double *address, double value)
{
    unsigned long long *bits = (unsigned long long *)address, old = *bits, seen;
    do {
        seen = old;
        double larger = fmax(value, __longlong_as_double(seen));
        old = atomicCAS(bits, seen, __double_as_longlong(larger));
    } while (seen != old);
    return __longlong_as_double(old);
}

/* The maximum of n doubles, which come in no order. */
__global__ void largest(double *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomic_max(out, (i * 37 % n) / 8.0);
}

int main()
{
    double *out = managed<double>(1);
    *out = -1;
    largest<<<8, 125>>>(out, 997);
    RUN();
    printf("%g\n", *out);
    return 0;
}
