/* SPDX-License-Identifier: MIT */
/* Warp calls do not wait for lanes that returned. */
#include "check.h"

/* After 12 lanes have returned, 20 lanes add their numbers. */
__global__ void leave(int *out)
{
    int i = threadIdx.x;
    if (i >= 20)
        return;
    unsigned mask = __activemask() & 0xfffff;
    __syncwarp(0xfffff);
    int sum = i;
    for (int delta = 1; delta < 32; delta *= 2) {
        int other = __shfl_down_sync(0xfffff, sum, delta);
        if (i + delta < 20)
            sum += other;
    }
    if (i == 0)
        out[0] = sum;
    out[1 + i] = mask >> i & 1;
}

int main()
{
    int *out = managed<int>(33);
    leave<<<1, 32>>>(out);
    RUN();
    printf("%d %d\n", out[0], total(out + 1, 32));
    return 0;
}
