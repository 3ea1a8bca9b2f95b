/* SPDX-License-Identifier: MIT */
/* 64-bit atomics, with values that do not fit 32 bits. */
#include "check.h"

typedef unsigned long long ull;

/* One atomic of each kind, with bits above the lower 32. */
__global__ void wide(ull *a, long long *b)
{
    ull i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&a[0], 1ull << 33);
    atomicMax(&a[1], i << 40);
    atomicMin(&a[2], (1ull << 50) - i);
    atomicOr(&a[3], 1ull << (i % 64));
    atomicAnd(&a[4], ~(1ull << (i % 60)));
    atomicXor(&a[5], 1ull << (32 + i % 8));
    atomicExch(&a[6], 5ull << 60);
    atomicCAS(&a[7], 0ull, 9ull << 35);
    atomicMin(&b[0], -(long long)i);
    atomicMax(&b[1], (long long)i - (1ll << 40));
}

int main()
{
    ull *a = managed<ull>(8);
    long long *b = managed<long long>(2);
    a[2] = a[4] = ~0ull;
    b[1] = -(1ll << 60);
    wide<<<2, 64>>>(a, b);
    RUN();
    for (int i = 0; i < 8; i++)
        printf("%llx\n", a[i]);
    printf("%lld %lld\n", b[0], b[1]);
    return 0;
}
