/* SPDX-License-Identifier: MIT */
/* A block of 40 threads: the second warp has 8 lanes. */
#include "check.h"

/* A vote and a shuffle with the mask of each warp's own lanes. */
__global__ void partial(unsigned *out)
{
    int i = threadIdx.x;
    unsigned mask = i < 32 ? ~0u : 0xff;
    unsigned votes = __ballot_sync(mask, i % 2);
    int value = __shfl_down_sync(mask, i, 4);
    out[i] = votes;
    out[40 + i] = value;
}

int main()
{
    unsigned *out = managed<unsigned>(80);
    partial<<<1, 40>>>(out);
    RUN();
    printf("%08x %08x %u %u\n", out[0], out[39], out[40], out[40 + 35]);
    return 0;
}
