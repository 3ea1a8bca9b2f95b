/* SPDX-License-Identifier: MIT */
/* __shfl_up_sync and __shfl_down_sync keep the lane's own value at the ends. */
#include "check.h"

/* Values of 3 lanes below and of 5 lanes above. */
__global__ void shift(int *up, int *down)
{
    int i = threadIdx.x, value = i * i;
    up[i] = __shfl_up_sync(0xffffffff, value, 3);
    down[i] = __shfl_down_sync(0xffffffff, value, 5);
}

int main()
{
    int *up = managed<int>(32), *down = managed<int>(32);
    shift<<<1, 32>>>(up, down);
    RUN();
    for (int i = 0; i < 32; i++) {
        int above = i < 3 ? i : i - 3, below = i > 26 ? i : i + 5;
        EXPECT(up[i] == above * above);
        EXPECT(down[i] == below * below);
    }
    printf("%d %d %d %d\n", up[2], up[3], down[26], down[27]);
    return 0;
}
