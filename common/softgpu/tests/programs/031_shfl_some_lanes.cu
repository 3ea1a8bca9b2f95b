/* SPDX-License-Identifier: MIT */
/* A mask of some lanes inside a branch; the others do something else. */
#include "check.h"

/* Odd lanes exchange values; even lanes compute an inclusive scan. */
__global__ void some(int *out)
{
    int i = threadIdx.x;
    if (i % 2) {
        int value = 100 + i;
        value += __shfl_xor_sync(0xaaaaaaaa, value, 2);
        out[i] = value;
    } else {
        int value = i;
        for (int delta = 2; delta < 32; delta *= 2) {
            int below = __shfl_up_sync(0x55555555, value, delta);
            if (i >= delta)
                value += below;
        }
        out[i] = value;
    }
}

int main()
{
    int *out = managed<int>(32);
    some<<<1, 32>>>(out);
    RUN();
    for (int i = 0; i < 32; i++)
        EXPECT(out[i]
               == (i % 2 ? 200 + i + (i ^ 2) : i / 2 * (i / 2 + 1)));
    printf("%d %d\n", out[31], out[30]);
    return 0;
}
