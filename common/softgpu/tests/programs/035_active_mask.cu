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
    printf("%08x %08x\n", seen[0], seen[1]);
    return 0;
}
