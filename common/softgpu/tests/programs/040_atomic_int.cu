/* SPDX-License-Identifier: MIT */
/* Every integer atomic on one word, and the old values it returns. */
#include "check.h"

/* One atomic of each kind, a word for each; adds up atomicAdd's old values. */
__global__ void all(int *a, unsigned long long *olds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int old = atomicAdd(&a[0], 2);
    atomicAdd(olds, (unsigned long long)old);
    atomicSub(&a[1], 3);
    atomicMin(&a[2], 500 - i);
    atomicMax(&a[3], i - 5);
    atomicAnd(&a[4], ~(1 << i % 16));
    atomicOr(&a[5], 1 << i % 20);
    atomicXor(&a[6], i);
    atomicExch(&a[7], 77);
}

int main()
{
    int *a = managed<int>(8);
    unsigned long long *olds = managed<unsigned long long>(1);
    a[2] = 1000;
    a[3] = -1000;
    a[4] = 0x7fffffff;
    all<<<4, 64>>>(a, olds);
    RUN();
    printf("%d %d %d %d %x %x %d %d\n", a[0], a[1], a[2], a[3], a[4], a[5],
           a[6], a[7]);
    printf("%llu\n", *olds);
    return 0;
}
