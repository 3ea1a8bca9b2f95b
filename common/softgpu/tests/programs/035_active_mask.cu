/* SPDX-License-Identifier: MIT */
/* __activemask in divergent branches returns the lanes of the branch. */
#include "check.h"

/* Stores the mask in three branches; two of them combine the masks. */
__global__ void branches(unsigned *out, unsigned *seen)
{
    int i = threadIdx.x;
    if (i < 10) {
        out[i] = __activemask();
    } else if (i % 2) {
        unsigned mask = __activemask();
        out[i] = mask;
        atomicOr(seen, mask);
    } else {
        out[i] = __activemask();
        atomicAnd(seen + 1, ~out[i]);
    }
}

__device__ __noinline__ unsigned compute(unsigned x, int rounds)
{
    for (int i = 0; i < rounds; i++)
        x = x * 1664525u + 1013904223u + (x >> 16);
    return x;
}

/* One lane computes for some ticks of the monitor, which preempts it, while all
 * others wait for it. */
__global__ void late(unsigned *mask, unsigned *sum)
{
    const unsigned x =
        compute(threadIdx.x, (threadIdx.x == 5) * 10000000);
    mask[threadIdx.x] = __activemask();
    sum[threadIdx.x] = x;
}

static void expect_all(unsigned *mask, unsigned *sum)
{
    late<<<1, 32>>>(mask, sum);
    RUN();
    for (int i = 0; i < 32; i++)
        EXPECT(mask[i] == ~0u);
}

int main()
{
    unsigned *out = managed<unsigned>(32), *seen = managed<unsigned>(2);
    seen[1] = ~0u;
    branches<<<1, 32>>>(out, seen);
    RUN();
    unsigned odd = 0xaaaaaaaa & ~0x3ffu, even = 0x55555555 & ~0x3ffu;
    for (int i = 0; i < 32; i++) {
        unsigned most = i < 10 ? 0x3ff : i % 2 ? odd : even;
        EXPECT((out[i] & ~most) == 0 && (out[i] >> i & 1));
    }
    expect_all(out, managed<unsigned>(32));
    printf("%08x %08x\n", seen[0], seen[1]);
    return 0;
}
