/* SPDX-License-Identifier: MIT */
/* __activemask in divergent branches names the lanes that are there. */
#include "check.h"

__global__ void branches(unsigned *out)
{
    int i = threadIdx.x;
    unsigned mask;
    if (i < 10)
        mask = __activemask();
    else if (i % 2)
        mask = __activemask();
    else
        mask = __activemask();
    out[i] = mask;
}

int main()
{
    unsigned *out = managed<unsigned>(32);
    branches<<<1, 32>>>(out);
    RUN();
    unsigned odd = 0xaaaaaaaa & ~0x3ffu, even = 0x55555555 & ~0x3ffu;
    for (int i = 0; i < 32; i++) {
        unsigned most = i < 10 ? 0x3ff : i % 2 ? odd : even;
        EXPECT((out[i] & ~most) == 0 && (out[i] >> i & 1));
    }
    printf("ok\n");
    return 0;
}
