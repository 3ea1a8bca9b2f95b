/* SPDX-License-Identifier: MIT */
/* __shfl_sync: any lane reads any lane. */
#include "check.h"

/* Reads from a permuted lane, from one lane, and from a lane beyond 31. */
__global__ void permute(int *out)
{
    int i = threadIdx.x, value = 1000 + i;
    out[i] = __shfl_sync(0xffffffff, value, (i * 7 + 3) % 32);
    out[64 + i] = __shfl_sync(0xffffffff, value, 5);
    out[128 + i] = __shfl_sync(0xffffffff, value, 33);
}

int main()
{
    int *out = managed<int>(192);
    permute<<<1, 64>>>(out);
    RUN();
    for (int i = 0; i < 64; i++) {
        int warp = 1000 + i / 32 * 32;
        EXPECT(out[i] == warp + (i * 7 + 3) % 32);
        EXPECT(out[64 + i] == warp + 5);
        EXPECT(out[128 + i] == warp + 1);
    }
    printf("%d %d %d\n", out[33], out[96], out[128]);
    return 0;
}
