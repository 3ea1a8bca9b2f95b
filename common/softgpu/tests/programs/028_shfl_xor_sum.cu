/* SPDX-License-Identifier: MIT */
/* The butterfly sum gives every lane the total. */
#include "check.h"

/* Adds over five exchanges with the lane that differs in one bit. */
__global__ void butterfly(int *out)
{
    int value = (threadIdx.x + 1) * (blockIdx.x + 1);
    for (int bit = 16; bit > 0; bit >>= 1)
        value += __shfl_xor_sync(0xffffffff, value, bit);
    out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

int main()
{
    int *out = managed<int>(256);
    butterfly<<<2, 128>>>(out);
    RUN();
    for (int i = 0; i < 256; i++) {
        int warp = i % 128 / 32;
        EXPECT(out[i] == (528 + 1024 * warp) * (i / 128 + 1));
    }
    printf("%d %d\n", out[0], out[255]);
    return 0;
}
