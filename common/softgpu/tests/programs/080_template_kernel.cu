/* SPDX-License-Identifier: MIT */
/* Kernels over types and numbers, deduced and given. */
#include "check.h"

/* Squares one element per thread. */
template <typename T> __global__ void square(T *a)
{
    a[threadIdx.x] *= a[threadIdx.x];
}

template <int Times, typename T, bool Negate = false>
__global__ void repeat(T *a, T by)
{
#pragma unroll
    for (int i = 0; i < Times; i++)
        a[threadIdx.x] += by;
    if (Negate)
        a[threadIdx.x] = -a[threadIdx.x];
}

int main()
{
    int *i = managed<int>(4);
    double *d = managed<double>(4);
    for (int k = 0; k < 4; k++)
        d[k] = i[k] = k + 1;
    square<<<1, 4>>>(i);
    square<double><<<1, 4>>>(d);
    repeat<3><<<1, 4>>>(i, 10);
    repeat<2, double, (4 > 3)><<<1, 4>>>(d, 0.25);
    RUN();
    printf("%d %d %g %g\n", i[0], i[3], d[0], d[3]);
    return 0;
}
