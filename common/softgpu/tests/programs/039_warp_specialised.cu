/* SPDX-License-Identifier: MIT */
/* Warp specialization: one warp fills a buffer, the others read it. */
#include "check.h"

/* Warp 0 stores 32 items per round; each other warp adds what it reads. */
__global__ void produce(int *out, int rounds)
{
    __shared__ int s_item[32];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, sum = 0;
    for (int r = 0; r < rounds; r++) {
        if (warp == 0)
            s_item[lane] = r * 32 + lane;
        __syncthreads();
        if (warp > 0)
            sum += warp * s_item[31 - lane];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

int main()
{
    int *out = managed<int>(128);
    produce<<<1, 128>>>(out, 5);
    RUN();
    for (int i = 32; i < 128; i++)
        EXPECT(out[i] == i / 32 * (320 + 5 * (31 - i % 32)));
    printf("%d %d %d\n", out[0], out[32], total(out, 128));
    return 0;
}
