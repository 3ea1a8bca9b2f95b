/* SPDX-License-Identifier: MIT */
/* Lanes exchange values in shared memory with __syncwarp only. */
#include "check.h"

/* Passes values to the next lane and back; then 8 lanes reverse theirs. */
__global__ void hand_over(int *out)
{
    __shared__ int s_value[64];
    int i = threadIdx.x, lane = i % 32, warp = i / 32 * 32;
    s_value[i] = 10 * i;
    __syncwarp();
    int next = s_value[warp + (lane + 1) % 32];
    __syncwarp();
    s_value[i] = next + 1;
    __syncwarp();
    out[i] = s_value[warp + (lane + 31) % 32];
    __syncwarp();
    if (lane < 8) {
        s_value[i] = lane;
        __syncwarp(0xff);
        out[64 + i] = s_value[warp + 7 - lane];
    }
}

int main()
{
    int *out = managed<int>(128);
    hand_over<<<1, 64>>>(out);
    RUN();
    for (int i = 0; i < 64; i++)
        EXPECT(out[i] == 10 * i + 1);
    for (int i = 0; i < 8; i++)
        EXPECT(out[64 + i] == 7 - i && out[96 + i] == 7 - i);
    printf("%d %d %d\n", out[63], out[64], total(out, 128));
    return 0;
}
