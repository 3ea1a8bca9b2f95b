/* SPDX-License-Identifier: MIT */
/* __ballot_sync, __any_sync and __all_sync. */
#include "check.h"

/* Each warp's lane 7 stores the results of five votes. */
__global__ void vote(unsigned *out)
{
    int i = threadIdx.x, lane = i % 32;
    unsigned *mine = out + i / 32 * 5;
    unsigned third = __ballot_sync(~0u, i % 3 == 0);
    unsigned any = __any_sync(~0u, lane == 31),
             all = __all_sync(~0u, lane < 31);
    unsigned every = __all_sync(~0u, i < 64), none = __any_sync(~0u, i > 63);
    if (lane == 7) {
        mine[0] = third;
        mine[1] = any;
        mine[2] = all;
        mine[3] = every;
        mine[4] = none;
    }
}

int main()
{
    unsigned *out = managed<unsigned>(10);
    vote<<<1, 64>>>(out);
    RUN();
    for (int w = 0; w < 10; w += 5)
        printf("%08x %u %u %u %u\n", out[w], out[w + 1] != 0, out[w + 2] != 0,
               out[w + 3] != 0, out[w + 4] != 0);
    return 0;
}
